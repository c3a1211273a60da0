# Draws curves over n: a panel for each variant and tile, a curve for each number of threads, and a level line at 1.
# A script sets left_label before it loads this file.
# SPDX-License-Identifier: MIT
load data
panels = panels_count
longest_panel = 0
do for [i = 1:panels] {
    longest_panel = strlen(panels_title[i]) > longest_panel ? strlen(panels_title[i]) : longest_panel
}
columns_most = longest_panel > 34 ? 2 : panels > 12 ? 4 : 3
panel_columns = panels < columns_most ? panels : columns_most
panel_rows = (panels + panel_columns - 1) / panel_columns
load 'figures/style.gp'

set multiplot
label_share = 0.085 * panel_columns
margin_share = 0.06
load 'figures/size_ticks.gp'
stats $curves using 5 nooutput
top_y = STATS_max > y_most ? STATS_max : y_most
set yrange [0:1.06 * top_y]
if (is_log(y_least, y_most)) {
    set logscale y 10
    set yrange [y_least / 1.5:top_y * 1.6]
}
set arrow 99 from graph 0, first 1 to graph 1, first 1 nohead dashtype 3 linecolor rgb '#888888'
do for [panel = 1:panels] {
    set lmargin at screen panel_left(panel) + 0.05
    set rmargin at screen panel_right(panel)
    set tmargin at screen panel_top(panel)
    set bmargin at screen panel_bottom(panel)
    set title panels_title[panel] offset 0, -0.6
    set xlabel 'n' offset 0, 0.4
    if (panel_left(panel) == panel_left(1)) { set ylabel left_label offset 0.5, 0 } else { unset ylabel }
    plot for [i = 1:curves_count] $curves index i - 1 using ($1 == panel ? $2 : NaN):4:5 with filledcurves \
             linecolor rgb colour(curves_style[i]) notitle, \
         for [i = 1:curves_count] $curves index i - 1 using ($1 == panel ? $2 : NaN):3 with lines \
             linecolor rgb colour(curves_style[i]) linewidth width(curves_style[i]) notitle, \
         for [i = 1:curves_count] $curves index i - 1 \
             using ($1 == panel ? $2 : NaN):3:(hollow(curves_style[i], 0) + ($6 > 0 ? 0 : 1)) with points \
             pointtype variable pointsize 0.45 linecolor rgb colour(curves_style[i]) notitle
}
key_lines = 1
load 'figures/key.gp'
unset multiplot
