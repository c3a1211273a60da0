# A map of the speed over n and the tile, a panel for each variant: per cent of the speed of the best tile at this n.
# SPDX-License-Identifier: MIT
load data
columns = words(sizes)
panel_columns = curves_count > 1 && columns <= 6 ? 2 : 1
panel_rows = (curves_count + panel_columns - 1) / panel_columns
panel_in = 0.05 + 0.13 * words(tiles)
panel_title_in = 0.26
left_wanted_in = 0.5
no_key = 1
load 'figures/style.gp'

set multiplot
unset grid
# Where labels would touch they are small, and one that would touch still is left out.
slot_in = panel_width_in / columns
touching = sum [i = 1:columns - 1] (strlen(word(sizes, i) . word(sizes, i + 1)) * letter_in / 2 + 0.04 > slot_in)
label_letter_in = touching ? 0.044 : letter_in
half_in(i) = strlen(word(sizes, i)) * label_letter_in / 2
last_in = (columns - 0.5) * slot_in - half_in(columns)
labelled_in = -1.0
set xtics () scale 0
if (touching) { set xtics font ',6.6' }
do for [i = 1:columns] {
    place_in = (i - 0.5) * slot_in
    if (i == columns || (place_in - half_in(i) > labelled_in + 0.04 && place_in + half_in(i) + 0.04 < last_in)) {
        set xtics add (word(sizes, i) i)
        labelled_in = place_in + half_in(i)
    }
}
set xrange [0.5:columns + 0.5]
set yrange [0.5:words(tiles) + 0.5]
column_of(n) = sum [i = 1:columns] (word(sizes, i) == n ? i : 0)
row_of(tile) = sum [i = 1:words(tiles)] (word(tiles, i) == tile ? i : 0)
# Black numbers have a contrast of nine on the darkest cell. Narrow cells have no numbers, the best tile has a mark.
set palette defined (0 '#ffffff', 100 '#56b4e9')
set cbrange [0:100]
unset colorbox
is_wide = slot_in > 0.125
do for [panel = 1:curves_count] {
    load 'figures/panel.gp'
    panel_title = broken(curves_title[panel])
    load 'figures/panel_title.gp'
    set xlabel (panel + panel_columns > curves_count ? 'n' : '') offset 0, 1.2
    set ytics () scale 0
    do for [i = 1:words(tiles)] { set ytics add (panel_column(panel) == 0 ? word(tiles, i) : '' i) }
    if (panel_column(panel) == 0) { set label 902 say('tile') @beside } else { unset label 902 }
    plot for [i = panel:panel] $curves index i - 1 using (column_of($1)):(row_of($2)):(0.5):(0.5):3 with boxxyerror \
             fillcolor palette fillstyle solid 1 border rgb '#ffffff' notitle, \
         for [i = panel:panel] $curves index i - 1 \
             using ($3 == 100 ? column_of($1) : NaN):(row_of($2)):(0.5):(0.44) with boxxyerror \
             fillstyle empty linecolor rgb '#000000' linewidth 1.2 notitle, \
         for [i = panel:panel] $curves index i - 1 \
             using (column_of($1)):(row_of($2)):(is_wide ? sprintf($6 > 0 ? '(%.0f)' : '%.0f', $3) : '') with labels \
             font ',6' textcolor rgb '#000000' notitle
    unset label 901
}
# What the site reads off a cell has these names.
x_axis = say('tile')
y_axis = say('% of the best tile')
unset multiplot
