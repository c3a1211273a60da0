# Sets the x axis of n and the y axis of the curves over n.
# The ticks of n are the measured sizes; a tick whose label would touch the one before has no label.
# The y axis ends above the points and the level lines. One wide interval must not squeeze the curves: a band ends at
# the tenfold or the tenth of its point, and at the frame. A note in the figure tells that a band is cut off.
# A script sets these before it loads this file: sizes; label_share, the part of the x axis that a label needs;
# margin_share, the room at both ends; y_least and y_most of the points; top_y, the highest point or level line;
# y_column, the column of the points, which those of the bands follow. It may set room_below, by what a logarithmic axis
# begins below the lowest point.
# SPDX-License-Identifier: MIT
least_x = word(sizes, 1) + 0.0
most_x = word(sizes, words(sizes)) + 0.0
set logscale x 2
margin_x = most_x > least_x ? (most_x / least_x) ** margin_share : 1.5
set xrange [least_x / margin_x:most_x * margin_x]
step = (most_x / least_x) ** label_share
labelled = 0.0
set xtics ()
do for [i = 1:words(sizes)] {
    x = word(sizes, i) + 0.0
    if (i == words(sizes) || (x >= labelled * step && x * step <= most_x)) {
        set xtics add (word(sizes, i) x)
        labelled = x
    } else {
        set xtics add ('' x 1)
    }
}

array steps[words(sizes)]
steps_count = words(sizes) - 1
do for [i = 1:steps_count] {
    # The steps are sorted from the smallest to the largest.
    place = i
    this = (word(sizes, i + 1) + 0.0) / (word(sizes, i) + 0.0)
    while (place > 1 && steps[place > 1 ? place - 1 : 1] > this) {
        steps[place] = steps[place - 1]
        place = place - 1
    }
    steps[place] = this
}
gap_step = steps_count > 0 ? larger(3.9, steps[(steps_count + 1) / 2] ** 2) : 2
# joins(panel, x, y): whether a line leads to the point from the one before, (from_x, from_y). The points come in turn.
joins(panel, x, y) = (from_panel = at_panel, from_x = at_x, from_y = at_y, at_panel = panel, at_x = x, at_y = y, \
                      column(0) > 0 && from_panel == panel && x > from_x && x < from_x * gap_step)
at_panel = 0
at_x = 0
at_y = 0
array is_broken[curves_count]
do for [i = 1:curves_count] {
    stats $curves index i - 1 using (joins(0, column(y_column - 1), 0) || at_x < from_x || column(0) == 0) nooutput
    is_broken[i] = STATS_min == 0
}

log_y = is_log(y_least, y_most)
if (log_y) { set logscale y 10 }
band(y, end) = y > 0 ? end > 10 * y ? 10 * y : end < y / 10 ? y / 10 : end : end
band_y = top_y
cut_bands = 0
do for [i = 1:curves_count] {
    if (!curves_grey[i]) {
        stats $curves index i - 1 using (band(column(y_column), column(y_column + 2))) nooutput
        band_y = larger(band_y, STATS_max)
        stats $curves index i - 1 using (band(column(y_column), column(y_column + 1)) != column(y_column + 1) || \
                                         band(column(y_column), column(y_column + 2)) != column(y_column + 2)) nooutput
        cut_bands = larger(cut_bands, STATS_max)
    }
}
highest_y = top_y * (log_y ? 3 : 1.4)
if (cut_bands > 0 || band_y > highest_y) {
    # The note stands at the right of the title or, where the title is too long or there is none, in small letters at
    # the left of the x axis's label.
    note = say('a band is cut off')
    is_beside = title_text ne '' && (strlen(title_text) * 1.15 + strlen(note)) * letter_in < width_in - 0.1
    note_y = is_beside ? 1 - 0.1 / height_in : panel_bottom(panel_rows * panel_columns) - 0.29 / height_in
    set label 903 (is_beside ? note : '') at screen 0.99, screen note_y right textcolor rgb '#777777'
    set label 904 (is_beside ? '' : note) at screen 0.01, screen note_y left font ',6' textcolor rgb '#777777'
}
top_y = band_y > highest_y ? highest_y : band_y
low_y = log_y ? y_least / (exists("room_below") ? room_below : 1.5) : 0
high_y = log_y ? top_y * 1.6 : top_y * 1.08
frame_names = 'low_y high_y'
load 'figures/frame.gp'
set yrange [low_y:high_y]
