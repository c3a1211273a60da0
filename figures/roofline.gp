# Measured ceilings of each device, and every variant at its arithmetic intensity.
# SPDX-License-Identifier: MIT
load 'figures/style.gp'

set multiplot
set logscale xy 10
set format y '10^{%T}'
set xlabel 'flops per byte of compulsory traffic'
do for [panel = 1:roofs_count] {
    span = 0.96 / roofs_count
    set lmargin at screen 0.085 + (panel - 1) * span
    set rmargin at screen 0.02 + panel * span
    set bmargin at screen bottom
    set tmargin at screen top - 0.12 / height_in
    set title sprintf('%s: measured peak %s, bandwidth %s', \
                      roofs_title[panel], roofs_peak_text[panel], roofs_bandwidth_text[panel]) font ',7' offset 0, -0.7
    if (panel == 1) { set ylabel 'GFLOP/s' } else { unset ylabel }
    ridge = roofs_peak[panel] / roofs_bandwidth[panel]
    set xrange [(x_least < ridge ? x_least : ridge) / 2:(x_most > ridge ? x_most : ridge) * 2]
    set yrange [*:roofs_peak[panel] * 2]
    roof(x) = x < ridge ? roofs_bandwidth[panel] * x : roofs_peak[panel]
    plot roof(x) with lines linecolor rgb '#444444' linewidth 1.5 notitle, \
         for [i = 1:curves_count] $curves index i - 1 \
             using (curves_device[i] == roofs_device[panel] ? $1 : NaN):2:(hollow(curves_style[i], 0) + ($3 > 0 ? 0 : 1)) \
             with points pointtype variable pointsize 0.6 linecolor rgb colour(curves_style[i]) notitle
}
key_lines = 0
load 'figures/key.gp'
unset multiplot
