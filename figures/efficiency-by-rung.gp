# GFLOP/s per watt of each rung, a panel for each problem and precision.
# SPDX-License-Identifier: MIT
load data
panel_columns = panels_count > 1 ? 2 : 1
panel_rows = (panels_count + panel_columns - 1) / panel_columns
panel_in = panels_count > 1 ? 0.85 : 1.15
# The names of the rungs stand upright below each panel.
panel_title_in = 0.74
left_wanted_in = 0.5
right_wanted_in = 0.35
load 'figures/style.gp'
# The points of other inputs are open squares, as in the figure of power.
open_mark(i) = i == 1 ? 6 : 3

# All panels have one scale, and so have those of other machines.
low_y = y_least / 1.5
high_y = y_most * 1.5
frame_names = 'low_y high_y'
load 'figures/frame.gp'
set multiplot
set logscale y 10
set yrange [low_y:high_y]
do for [panel = 1:panels_count] {
    set lmargin at screen panel_left(panel)
    set rmargin at screen panel_right(panel)
    set tmargin at screen panel_top(panel) + 0.56 / height_in
    set bmargin at screen panel_bottom(panel) + 0.56 / height_in
    set xrange [0.5:panels_last[panel] + 0.5]
    set format y (panel_column(panel) == 0 ? '%g' : '')
    set title panels_title[panel] offset 0, -0.8
    unset xtics
    set xtics nomirror () rotate by 90 right font ',6.5'
    do for [i = 1:rungs_count] {
        if (rungs_panel[i] == panel) { set xtics add (rungs_title[i] rungs_x[i]) }
    }
    if (panel_column(panel) == 0) { set label 902 say('GFLOP/s per W') @beside } else { unset label 902 }
    plot for [i = 1:curves_count] $curves index i - 1 using ($1 == panel ? $2 : NaN):3 with lines \
             linecolor rgb curve_colour(i) linewidth 0.8 notitle, \
         for [i = 1:curves_count] $curves index i - 1 using ($1 == panel ? $2 : NaN):3:4:5 with yerrorbars \
             pointtype open_mark(i) + 1 pointsize 0.4 linewidth 0.8 linecolor rgb curve_colour(i) notitle
    unset label 901
}
key_lines = 1
load 'figures/key.gp'
unset multiplot
