# Gives every figure the same look. Variables: data, a file that `tilelab query --format gnuplot` wrote; output, the
# PDF.
# SPDX-License-Identifier: MIT
load data
set encoding utf8
set datafile missing 'NaN'

# The hue tells the device, lightness and point tell the variant, dashes tell the tile. Colour-blind readers can tell
# curves apart, and so can readers of a grey print.
array cpu_colour[9] = ['#08306b', '#2171b5', '#6baed6', '#00838f', '#4dd0e1', '#1a237e', '#5c6bc0', '#9fa8da', \
                       '#5d8aa8']
array gpu_colour[8] = ['#7f2704', '#d94801', '#fd8d3c', '#fdae6b', '#ad1457', '#ec407a', '#b8860b', '#e0b040']
library_colour = '#000000 #000000 #000000 #000000 #8b0000 #8b0000'
colour(style) = style < 10 ? word(library_colour, style) : style < 40 ? cpu_colour[(style - 10) % 9 + 1] : \
                gpu_colour[(style - 40) % 8 + 1]
width(style) = style < 10 ? 3.2 : 1.5
# Libraries of one device differ by their dashes, and so do the tiles and threads of a variant.
dash(style, rank) = (style < 10 ? style == 1 || style == 5 ? 1 : style == 6 ? 2 : style : 1) + rank
dashes(style, rank) = (dash(style, rank) - 1) % 5 + 1
# Even point types are hollow: they mark cells that carry a flag.
hollow(style, rank) = 4 + 2 * ((style + rank) % 5)

set linetype 1 dashtype solid
ratio_of(least, most) = least > 0 ? most / least : 1
is_log(least, most) = ratio_of(least, most) > 20

# The key lies below the panels, in as many columns as its longest title allows.
longest = 8
do for [i = 1:curves_count] { longest = strlen(curves_title[i]) > longest ? strlen(curves_title[i]) : longest }
if (exists("ceilings_drawn")) {
    do for [i = 1:ceilings_count] {
        longest = strlen(ceilings_title[i]) > longest ? strlen(ceilings_title[i]) : longest
    }
}
# A figure of one panel has half the width of the text, so that two stand side by side.
if (!exists("half")) { half = 0 }
key_columns = int((half ? 52.0 : 100.0) / (longest + 6))
key_columns = key_columns < 1 ? 1 : key_columns > 5 ? 5 : key_columns
# A ceiling has an entry in the key too. It is drawn where it does not squeeze the curves.
ceilings = exists("ceilings_drawn") ? ceilings_count : 0
if (!exists("y_least")) {
    y_least = 1
    y_most = 1
}
if (!exists("ceilings_title")) {
    array ceilings_title[1] = ['']
    array ceilings_gpu[1] = [0]
    array ceilings_value[1] = [0]
}
is_drawn(value) = is_log(y_least, y_most) || value < 4 * y_most
key_rows = (curves_count + ceilings + key_columns - 1) / key_columns
panel_in = exists("panel_rows") ? 1.9 * panel_rows : 1.75
key_in = 0.14 * key_rows + 0.05
height_in = panel_in + key_in + 0.6
width_in = half ? 3.3 : 6.7
set terminal pdfcairo size width_in, height_in font 'DejaVu Sans,7.5' linewidth 1 rounded
set output output
bottom = (key_in + 0.42) / height_in
top = 1 - 0.15 / height_in
key_y = key_in / height_in
# The place of each panel where there are several, row by row. The labels of its y axis lie within the panel.
panel_left(panel) = 0.02 + (panel - 1) % panel_columns * 0.97 / panel_columns
panel_right(panel) = panel_left(panel) + 0.97 / panel_columns - 0.015
panel_height(panel) = (top - bottom + 0.5 / height_in) / panel_rows
panel_top(panel) = top - (panel - 1) / panel_columns * panel_height(panel) - 0.15 / height_in
panel_bottom(panel) = panel_top(panel) - panel_height(panel) + 0.65 / height_in
set border 3 linecolor rgb '#444444'
set tics nomirror out scale 0.6
set grid ytics linecolor rgb '#dddddd' linewidth 0.5
set style fill transparent solid 0.18 noborder
unset key
