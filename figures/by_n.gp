# Draws curves over n in one panel. A script sets left_label before it loads this file. It may also set x_label,
# label_in (the room of a label at the x axis), ceilings_drawn, y_time (the curves are times), and `reference`, a level
# line, of which the data may name crossings.
# SPDX-License-Identifier: MIT
ends_wanted = 1
load 'figures/style.gp'

set multiplot
label_share = (exists("label_in") ? label_in : 0.34) / panel_width_in
margin_share = 0.04
set xlabel (exists("x_label") ? sprintf(say(x_label), exists("x_number") ? x_number : 0) : 'n') offset 0, 1.2
panel = 1
load 'figures/panel.gp'
set label 902 say(left_label) @beside
y_column = 2
top_y = y_most
do for [i = 1:ceilings] {
    if (is_drawn(ceilings_value[i]) && ceilings_value[i] > top_y) { top_y = ceilings_value[i] }
}
load 'figures/size_ticks.gp'
set format y (log_y ? decades(high_y) : '%g')
if (exists("y_time")) { load 'figures/time_ticks.gp' }
if (exists("reference") && reference > low_y && reference < high_y) {
    set arrow 99 from graph 0, first reference to graph 1, first reference nohead dashtype 3 linecolor rgb '#888888'
}
# The interval of a crossing of the level line has a line of its own below the curves, in the colour of its curve.
do for [i = 1:exists("crossings_count") ? crossings_count : 0] {
    at_line = 0.07 * i - 0.02
    set arrow 300 + i from first crossings_low[i], graph at_line to first crossings_high[i], graph at_line heads \
        size graph 0.015, 90 front linewidth 1.5 linecolor rgb colour(crossings_style[i])
    set arrow 320 + i from first crossings_at[i], first reference to first crossings_at[i], graph at_line nohead front \
        dashtype 3 linecolor rgb '#222222'
}
do for [i = 1:ceilings] {
    if (is_drawn(ceilings_value[i])) {
        set arrow 10 + i from graph 0, first ceilings_value[i] to graph 1, first ceilings_value[i] nohead \
            dashtype ceiling_dash(i) linewidth ceiling_width(i) linecolor rgb ceiling_colour(i)
    }
}
if (ends) { load 'figures/ends.gp' }
plot for [i = 1:curves_count] $curves index i - 1 using 1:(curves_grey[i] && !is_broken[i] ? $2 : NaN) with lines \
         linecolor rgb curve_colour(i) linewidth curve_width(i) notitle, \
     for [i = 1:curves_count] $curves index i - 1 \
         using 1:(curves_grey[i] || is_broken[i] ? NaN : band($2, $3)):(band($2, $4)) with filledcurves \
         linecolor rgb curve_colour(i) notitle, \
     for [i = 1:curves_count] $curves index i - 1 using 1:(curves_grey[i] || is_broken[i] ? NaN : $2) with lines \
         linecolor rgb curve_colour(i) linewidth curve_width(i) dashtype curve_dashes(i) notitle, \
     for [i = 1:curves_count] $curves index i - 1 \
         using (joins(0, $1, $2) && is_broken[i] ? from_x : NaN):(from_y):(at_x - from_x):(at_y - from_y) with vectors \
         nohead linecolor rgb curve_colour(i) linewidth curve_width(i) dashtype curve_dashes(i) notitle, \
     for [i = 1:curves_count] $curves index i - 1 \
         using 1:(curves_grey[i] || !is_broken[i] ? NaN : $2):(band($2, $3)):(band($2, $4)) with yerrorbars \
         pointtype 0 linecolor rgb curve_colour(i) notitle, \
     for [i = 1:curves_count] $curves index i - 1 \
         using 1:(curves_grey[i] ? NaN : $2): \
               (open_mark(i) + ($5 > 0 ? 0 : 1)) with points pointtype variable \
         pointsize 0.45 linecolor rgb curve_colour(i) notitle
key_lines = 1
load 'figures/key.gp'
unset multiplot
