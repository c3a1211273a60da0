# Draws the key of all panels over the whole width; it comes last. Curves that have their names at their ends have no
# entry. key_lines: 1 if curves are lines, 0 if they are points. gnuplot takes letters of an SVG to be larger than they
# are, so that samples and lines have smaller numbers than elsewhere.
# SPDX-License-Identifier: MIT
if (key_entries > 0) {
    unset title
    unset xlabel
    unset ylabel
    unset border
    unset tics
    unset grid
    unset arrow
    unset label
    unset logscale
    set xrange [0:1]
    set yrange [0:1]
    set lmargin at screen 0.02
    set rmargin at screen 0.98
    set bmargin at screen 0
    set tmargin at screen key_in / height_in
    set key at screen 0.5, screen key_in / height_in center top horizontal maxcols key_columns \
        samplen 1.4 spacing 0.81 height 0 width key_less reverse Left
    is_line(i) = key_lines || (exists("curves_level") && curves_level[i])
    has_entry(i) = !ends && !curves_grey[i]
    plot for [i = 1:curves_count] NaN with linespoints linecolor rgb curve_colour(i) linewidth curve_width(i) \
             dashtype curve_dashes(i) pointtype (key_lines ? open_mark(i) + 1 : 0) \
             pointsize 0.5 title (has_entry(i) && is_line(i) ? curves_title[i] : ''), \
         for [i = 1:curves_count] NaN with points linecolor rgb curve_colour(i) \
             pointtype open_mark(i) + 1 pointsize 0.5 \
             title (has_entry(i) && !is_line(i) ? curves_title[i] : ''), \
         for [i = 1:ceilings] NaN with lines dashtype ceiling_dash(i) linewidth ceiling_width(i) \
             linecolor rgb ceiling_colour(i) title is_drawn(ceilings_value[i]) ? ceilings_title[i] : ''
}
