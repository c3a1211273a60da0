# Speed over the error, both relative to the library, a panel for each precision.
# SPDX-License-Identifier: MIT
load data
panel_columns = panels_count > 1 ? 2 : 1
panel_rows = (panels_count + panel_columns - 1) / panel_columns
panel_in = panels_count > 1 ? 1.1 : 1.4
panel_title_in = 0.14
left_wanted_in = 0.56
load 'figures/style.gp'

set multiplot
set logscale xy 10
# The library is at (1, 1). All panels have the same axes.
set xrange [(x_least < 1 ? x_least : 1) / 2:(x_most > 1 ? x_most : 1) * 2]
set yrange [(y_least < 1 ? y_least : 1) / 1.5:(y_most > 1 ? y_most : 1) * 1.5]
set xtics (0.001, 0.01, 0.1, 1, 10, 100, 1000, '10⁴' 1e4, '10⁵' 1e5)
set format y '%g'
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead dashtype 3 linecolor rgb '#888888'
set arrow 2 from first 1, graph 0 to first 1, graph 1 nohead dashtype 3 linecolor rgb '#888888'
do for [panel = 1:panels_count] {
    load 'figures/panel.gp'
    set title panels_title[panel] offset 0, -0.8
    set xlabel (panel + panel_columns > panels_count ? say('error / library') : '') offset 0, 1.2
    if (panel_column(panel) == 0) {
        set label 902 say('speed / library') @beside
        set format y '%g'
    } else {
        unset label 902
        set format y ''
    }
    plot for [i = 1:curves_count] $curves index i - 1 using ($1 == panel ? $2 : NaN):3:4:5 with yerrorbars pointtype 0 \
             linecolor rgb curve_colour(i) notitle, \
         for [i = 1:curves_count] $curves index i - 1 \
             using ($1 == panel ? $2 : NaN):3:(open_mark(i) + ($6 > 0 ? 0 : 1)) with points \
             pointtype variable pointsize 0.6 linecolor rgb curve_colour(i) notitle
    unset label 901
}
key_lines = 0
load 'figures/key.gp'
unset multiplot
