# Draws the measured ceilings of each device, and every variant at its arithmetic intensity. A line leads from there to
# the intensity that follows from the counted traffic.
# SPDX-License-Identifier: MIT
load 'figures/style.gp'

if (counts_count == 0) {
    array counts_device[1] = [0]
    array counts_style[1] = [1]
}

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
    x_left = (x_counted < ridge ? x_counted : ridge) / 2
    x_right = (x_most > ridge ? x_most : ridge) * 2
    y_top = roofs_most[panel]
    set xrange [x_left:x_right]
    unset arrow
    unset label
    do for [i = 1:levels_count] {
        if (levels_device[i] == roofs_device[panel]) {
            y_top = levels_value[i] > y_top ? levels_value[i] : y_top
            left = levels_value[i] / roofs_bandwidth[panel]
            set arrow from first (left > x_left ? left : x_left), first levels_value[i] \
                to graph 1, first levels_value[i] nohead dashtype 2 linewidth 0.8 linecolor rgb '#444444'
            set label levels_title[i] at graph 0.99, first levels_value[i] right offset 0, 0.35 font ',6' \
                textcolor rgb '#444444'
        }
    }
    set yrange [*:y_top * 2]
    roof(x) = x < ridge ? roofs_bandwidth[panel] * x : roofs_peak[panel]
    plot roof(x) with lines linecolor rgb '#444444' linewidth 1.5 notitle, \
         for [i = 1:curves_count] $curves index i - 1 \
             using (curves_device[i] == roofs_device[panel] ? $1 : NaN):2: \
                   (hollow(curves_style[i], 0) + ($3 > 0 ? 0 : 1)) \
             with points pointtype variable pointsize 0.6 linecolor rgb colour(curves_style[i]) notitle, \
         for [i = 1:counts_count] $counts index i - 1 \
             using (counts_device[i] == roofs_device[panel] ? $1 : NaN):2:($3 - $1):(0) with vectors nohead \
             linecolor rgb colour(counts_style[i]) linewidth 0.8 notitle, \
         for [i = 1:counts_count] $counts index i - 1 \
             using (counts_device[i] == roofs_device[panel] ? $3 : NaN):2 with points pointtype 2 pointsize 0.5 \
             linecolor rgb colour(counts_style[i]) notitle
}
key_lines = 0
load 'figures/key.gp'
unset multiplot
