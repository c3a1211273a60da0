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
# The panel of a device has one frame on all machines.
do for [panel = 1:panels_count] {
    of_panel = sprintf('_%d', panels_device[panel])
    low_y = 1e99
    high_y = 0
    do for [i = 1:curves_count] {
        if (curves_device[i] == panels_device[panel]) {
            stats $curves index i - 1 using 2 nooutput
            low_y = STATS_min < low_y ? STATS_min : low_y
            high_y = larger(high_y, STATS_max)
        }
    }
    eval sprintf('low_x%s = %.9g; high_x%s = %.9g', of_panel, panels_least[panel] / 1.3, of_panel, \
                 panels_most[panel] * 1.3)
    eval sprintf('low_y%s = %.9g; high_y%s = %.9g', of_panel, low_y / 1.5, of_panel, high_y * 1.5)
    frame_names = (panel > 1 ? frame_names : '') . \
                  sprintf(' low_x%s high_x%s low_y%s high_y%s', of_panel, of_panel, of_panel, of_panel)
}
load 'figures/frame.gp'
size(power) = sprintf('%d %s', 2 ** (power % 10), word(say('KiB MiB GiB TiB'), power / 10))
do for [panel = 1:panels_count] {
    device = panels_device[panel]
    load 'figures/panel.gp'
    set title panels_title[panel] offset 0, -0.8
    set xlabel (panel == panels_count ? say('bytes of the arrays') : '') offset 0, 1.2
    least = value(sprintf('low_x_%d', device))
    most = value(sprintf('high_x_%d', device))
    set xrange [least:most]
    set yrange [value(sprintf('low_y_%d', device)):value(sprintf('high_y_%d', device))]
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
                   (open_mark(i) + ($5 > 0 ? 0 : 1)) \
             with points pointtype variable pointsize 0.45 linecolor rgb colour(curves_style[i]) notitle
    unset label 901
}
key_lines = 1
load 'figures/key.gp'
unset multiplot
