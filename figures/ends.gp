# Writes the name of each curve at the right end of the panel, behind the mark of its points. Names that would touch are
# pushed apart; a dotted grey line, which is no curve, leads from the end of a curve to its name. by_n.gp sets low_y,
# high_y and log_y before.
# SPDX-License-Identifier: MIT
array end_x[names]
array end_y[names]
array end_curve[names]
array end_place[names]
share_y(y) = log_y ? log(y / low_y) / log(high_y / low_y) : (y - low_y) / (high_y - low_y)
k = 0
do for [i = 1:curves_count] {
    if (!curves_grey[i]) {
        stats $curves index i - 1 using (last_x = $1, last_y = $2) nooutput
        # The names are sorted from the lowest end to the highest.
        k = k + 1
        place = k
        while (place > 1 && end_y[place > 1 ? place - 1 : 1] > last_y) {
            end_x[place] = end_x[place - 1]
            end_y[place] = end_y[place - 1]
            end_curve[place] = end_curve[place - 1]
            place = place - 1
        }
        end_x[place] = last_x
        end_y[place] = last_y
        end_curve[place] = i
    }
}
apart = 0.118 / panel_in
do for [k = 1:names] { end_place[k] = share_y(end_y[k]) }
room(k) = apart * (lines(curves_title[end_curve[k]]) + lines(curves_title[end_curve[k + 1]])) / 2.0
most_place = 0.98 - apart * (lines(curves_title[end_curve[names]]) - 1) / 2.0
do for [turn = 1:300] {
    do for [k = 1:names - 1] {
        short = room(k) - (end_place[k + 1] - end_place[k])
        if (short > 0) {
            end_place[k] = end_place[k] - short / 2
            end_place[k + 1] = end_place[k + 1] + short / 2
        }
    }
    if (end_place[1] < 0) { end_place[1] = 0 }
    if (end_place[names] > most_place) { end_place[names] = most_place }
}
lead_x = 1 + 0.14 / panel_width_in
mark_x = 1 + 0.19 / panel_width_in
name_x = 1 + 0.25 / panel_width_in
do for [k = 1:names] {
    i = end_curve[k]
    tint = curve_colour(i)
    from_x = end_x[k]
    from_y = end_y[k]
    place = end_place[k]
    set arrow 200 + k from first from_x, first from_y to graph lead_x, graph place nohead back linewidth 0.4 \
        dashtype 3 linecolor rgb '#999999'
    set label 400 + k '' at graph mark_x, graph place point pointtype open_mark(i) + 1 pointsize 0.45 linecolor rgb tint
    do for [j = 1:lines(curves_title[i])] {
        set label 1000 + 10 * k + j line_of(broken(curves_title[i]), j) at graph name_x, \
            graph place + apart * ((lines(curves_title[i]) - 1) / 2.0 - j + 1) left \
            textcolor rgb text_colour
    }
}
