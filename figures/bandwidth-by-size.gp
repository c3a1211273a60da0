# Draws GB/s over the bytes of the arrays: one panel for each device, with the sizes of its caches.
# SPDX-License-Identifier: MIT
load 'figures/style.gp'

set multiplot
set logscale x 2
set logscale y 10
set format y '%g'
set xlabel 'bytes of the arrays'
size(power) = sprintf('%d %s', 2 ** (power % 10), word('KiB MiB GiB TiB', power / 10))
do for [panel = 1:panels_count] {
    device = panels_device[panel]
    span = 0.96 / panels_count
    set lmargin at screen 0.085 + (panel - 1) * span
    set rmargin at screen 0.02 + panel * span
    set bmargin at screen bottom
    set tmargin at screen top - 0.12 / height_in
    set title panels_title[panel] offset 0, -0.7
    if (panel == 1) { set ylabel 'GB/s' } else { unset ylabel }
    least = panels_least[panel] / 1.3
    most = panels_most[panel] * 1.3
    set xrange [least:most]
    set xtics ()
    do for [power = 10:40:panels_count == 1 ? 2 : 4] {
        if (2.0 ** power > least && 2.0 ** power < most) { set xtics add (size(power) 2.0 ** power) }
    }
    unset arrow
    unset label
    do for [i = 1:caches_count] {
        if (caches_device[i] == device && caches_bytes[i] > least && caches_bytes[i] < most) {
            set arrow from first caches_bytes[i], graph 0 to first caches_bytes[i], graph 1 nohead dashtype 3 \
                linecolor rgb '#888888'
            set label caches_title[i] at first caches_bytes[i], graph 0.04 offset 0.3, 0 font ',7' \
                textcolor rgb '#666666'
        }
    }
    plot for [i = 1:curves_count] $curves index i - 1 \
             using (curves_device[i] == device ? $1 : NaN):3:4 with filledcurves \
             linecolor rgb colour(curves_style[i]) notitle, \
         for [i = 1:curves_count] $curves index i - 1 using (curves_device[i] == device ? $1 : NaN):2 with lines \
             linecolor rgb colour(curves_style[i]) linewidth width(curves_style[i]) \
             dashtype dashes(curves_style[i], curves_dash[i]) notitle, \
         for [i = 1:curves_count] $curves index i - 1 \
             using (curves_device[i] == device ? $1 : NaN):2: \
                   (hollow(curves_style[i], curves_dash[i]) + ($5 > 0 ? 0 : 1)) \
             with points pointtype variable pointsize 0.45 linecolor rgb colour(curves_style[i]) notitle
}
key_lines = 1
load 'figures/key.gp'
unset multiplot
