# Draws curves over the tile, a panel for each n. A curve without a tile is a level line.
# A script sets left_label and x_label, and may set y_time (the points are times), before it loads this file.
# SPDX-License-Identifier: MIT
load data
panels = words(sizes)
panel_columns = panels > 4 ? 3 : panels > 1 ? 2 : 1
panel_rows = (panels + panel_columns - 1) / panel_columns
panel_in = panels > 1 ? 0.95 : 1.15
panel_title_in = 0.14
left_wanted_in = 0.7
load 'figures/style.gp'

set multiplot
set logscale y 10
set xtics ()
# A tick whose label would touch another one has no label.
slot_in = panel_width_in / words(tiles)
half_in(i) = strlen(word(tiles, i)) * letter_in / 2
last_in = (words(tiles) - 0.5) * slot_in - half_in(words(tiles))
labelled_in = -1.0
do for [i = 1:words(tiles)] {
    place_in = (i - 0.5) * slot_in
    if (i == words(tiles) || \
        (place_in - half_in(i) > labelled_in + 0.04 && place_in + half_in(i) + 0.04 < last_in)) {
        set xtics add (word(tiles, i) i)
        labelled_in = place_in + half_in(i)
    } else {
        set xtics add ('' i 1)
    }
}
set xrange [0.5:words(tiles) + 0.5]
# Each panel of the lowest row has a label at its x axis if the labels do not touch.
wide_label = strlen(say(x_label)) * letter_in < panel_width_in
# All panels share the y axis, whose labels stand beside the left ones.
stats $curves using 5 nooutput
most_y = STATS_max
stats $curves using 4 nooutput
low_y = STATS_min / 1.5
high_y = most_y * 1.5
log_y = 1
set yrange [low_y:high_y]
place(tile) = sum [i = 1:words(tiles)] (word(tiles, i) == tile ? i : 0)
do for [panel = 1:panels] {
    size = word(sizes, panel) + 0
    load 'figures/panel.gp'
    set title sprintf(say('n = %d'), size) offset 0, -0.8
    set xlabel (panel == panels || (wide_label && panel + panel_columns > panels) ? say(x_label) : '') offset 0, 1.2
    if (panel_column(panel) == 0) {
        set label 902 say(left_label) @beside
        set format y decades(high_y)
        if (exists("y_time")) { load 'figures/time_ticks.gp' }
    } else {
        unset label 902
        set format y ''
        if (exists("y_time")) { set ytics autofreq }
    }
    plot for [i = 1:curves_count] $curves index i - 1 \
             using (curves_level[i] && $1 == size ? 0.5 : NaN):3:(words(tiles)):(0) with vectors nohead \
             linecolor rgb curve_colour(i) linewidth curve_width(i) notitle, \
         for [i = 1:curves_count] $curves index i - 1 using ($1 == size ? place($2) : NaN):3 with lines \
             linecolor rgb curve_colour(i) linewidth 0.6 * curve_width(i) dashtype curve_dashes(i) notitle, \
         for [i = 1:curves_count] $curves index i - 1 \
             using ($1 == size ? place($2) : NaN):3:4:5 with yerrorbars pointtype 0 \
             linecolor rgb curve_colour(i) notitle, \
         for [i = 1:curves_count] $curves index i - 1 \
             using ($1 == size ? place($2) : NaN):3:(open_mark(i) + ($6 > 0 ? 0 : 1)) with points \
             pointtype variable pointsize 0.5 linecolor rgb curve_colour(i) notitle
    unset label 901
}
key_lines = 0
load 'figures/key.gp'
unset multiplot
