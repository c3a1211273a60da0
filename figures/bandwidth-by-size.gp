# Draws GB/s over the bytes of the arrays: a panel for each device, one below the other, with the sizes of its caches.
# SPDX-License-Identifier: MIT
load data
panel_rows = panels_count
panel_in = 0.8
panel_title_in = 0.14
load 'figures/style.gp'

set multiplot
set logscale x 2
set logscale y 10
set format y '%g'
set label 902 say('GB/s') @beside
size(power) = sprintf('%d %s', 2 ** (power % 10), word(say('KiB MiB GiB TiB'), power / 10))
do for [panel = 1:panels_count] {
    device = panels_device[panel]
    load 'figures/panel.gp'
    set title panels_title[panel] offset 0, -0.8
    set xlabel (panel == panels_count ? say('bytes of the arrays') : '') offset 0, 0.5
    least = panels_least[panel] / 1.3
    most = panels_most[panel] * 1.3
    set xrange [least:most]
    set xtics ()
    do for [power = 10:40:4] {
        if (2.0 ** power > least && 2.0 ** power < most) { set xtics add (size(power) 2.0 ** power) }
    }
    unset arrow
    do for [i = 1:caches_count] {
        unset label i
        if (caches_device[i] == device && caches_bytes[i] > least && caches_bytes[i] < most) {
            bytes = caches_bytes[i]
            set arrow from first bytes, graph 0 to first bytes, graph 1 nohead dashtype 3 linecolor rgb '#888888'
            set label i caches_title[i] at first bytes, graph 0.06 offset 0.3, 0 textcolor rgb '#666666'
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
    unset label 901
}
key_lines = 1
load 'figures/key.gp'
unset multiplot
