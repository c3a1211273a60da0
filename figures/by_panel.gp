# Draws curves over n in several panels, which have one y axis. A script sets left_label before it loads this file. It
# may also set `reference`, a level line, x_label, label_in (the room of a label at the x axis), y_time (the curves are
# times), and `ideal`: x and y have one scale, a dashed line has y = x, and panels_base is the time that 1 stands for.
# SPDX-License-Identifier: MIT
if (!exists("x_label")) { x_label = 'n' }
load data
panels = panels_count
panel_columns = panels > 1 ? 2 : 1
panel_rows = (panels + panel_columns - 1) / panel_columns
panel_in = panels > 2 ? 0.7 : panels > 1 ? 0.85 : 1.15
if (!exists("panel_title_in")) { panel_title_in = 0.26 }
left_wanted_in = exists("y_time") ? 0.66 : 0.56
# The base stands below a name, which needs two lines if it is long.
if (exists("ideal")) {
    do for [panel = 1:panels] { if (strlen(panels_title[panel]) > 23) { panel_title_in = 0.38 } }
}
load 'figures/style.gp'

set multiplot
label_share = (exists("label_in") ? label_in : 0.34) / panel_width_in
margin_share = 0.13
y_column = 3
top_y = y_most
if (exists("reference")) {
    y_least = reference < y_least ? reference : y_least
    top_y = larger(top_y, reference)
}
load 'figures/size_ticks.gp'
if (exists("reference")) {
    set arrow 99 from graph 0, first reference to graph 1, first reference nohead dashtype 3 linecolor rgb '#888888'
}
if (exists("ideal")) {
    low_y = (y_least < 1 ? y_least : 1.0) / 1.3
    high_y = larger(most_x, y_most) * 1.3
    load 'figures/frame.gp'
    set logscale y 2
    set yrange [low_y:high_y]
    set arrow 98 from first least_x, first least_x to first most_x, first most_x nohead dashtype 2 \
        linecolor rgb '#444444'
}
do for [panel = 1:panels] {
    load 'figures/panel.gp'
    panel_title = exists("ideal") ? (strlen(panels_title[panel]) > 23 ? broken(panels_title[panel]) : \
                  panels_title[panel]) . "\n" . sprintf(say('%s at n = %d'), \
                  time_label(panels_base[panel]), panels_n[panel]) : broken(panels_title[panel])
    load 'figures/panel_title.gp'
    set xlabel (panel + panel_columns > panels ? say(x_label) : '') offset 0, 1.2
    if (panel_column(panel) == 0) {
        set label 902 say(left_label) @beside
        set format y (log_y ? decades(high_y) : '%g')
    } else {
        unset label 902
        set format y ''
    }
    y_labelled = panel_column(panel) == 0
    if (exists("y_time")) { load 'figures/time_ticks.gp' }
    plot for [i = 1:curves_count] $curves index i - 1 \
             using ($1 == panel && !is_broken[i] ? $2 : NaN):(band($3, $4)):(band($3, $5)) with filledcurves \
             linecolor rgb curve_colour(i) notitle, \
         for [i = 1:curves_count] $curves index i - 1 using ($1 == panel && !is_broken[i] ? $2 : NaN):3 with lines \
             linecolor rgb curve_colour(i) linewidth curve_width(i) dashtype curve_dashes(i) notitle, \
         for [i = 1:curves_count] $curves index i - 1 \
             using (joins($1, $2, $3) && $1 == panel && is_broken[i] ? from_x : NaN):(from_y):(at_x - from_x): \
                   (at_y - from_y) with vectors nohead linecolor rgb curve_colour(i) linewidth curve_width(i) \
             dashtype curve_dashes(i) notitle, \
         for [i = 1:curves_count] $curves index i - 1 \
             using ($1 == panel && is_broken[i] ? $2 : NaN):3:(band($3, $4)):(band($3, $5)) with yerrorbars \
             pointtype 0 linecolor rgb curve_colour(i) notitle, \
         for [i = 1:curves_count] $curves index i - 1 \
             using ($1 == panel ? $2 : NaN):3:(open_mark(i) + ($6 > 0 ? 0 : 1)) with points \
             pointtype variable pointsize 0.45 linecolor rgb curve_colour(i) notitle
    unset label 901
    unset label 903
    unset label 904
}
key_lines = 1
load 'figures/key.gp'
unset multiplot
