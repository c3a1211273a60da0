# Draws the words that one store of a warp writes. Columns are the 32 banks; a word carries the number of its lane.
# SPDX-License-Identifier: MIT
load data
# A row has two panels, each as high as the words of its tile need.
word_in = 0.07
room_in = 0.55
panel_in(i) = (curves_rows[i] + 1) * word_in + room_in
wanted_in = 0.05
do for [i = 1:curves_count:2] { wanted_in = wanted_in + panel_in(i) }
load 'figures/style.gp'

set terminal pdfcairo size 6.6in, wanted_in font 'DejaVu Sans,8' linewidth 1 rounded
set output output
set multiplot
set border 15 linecolor rgb '#888888' linewidth 0.5
set grid xtics ytics linecolor rgb '#dddddd' linewidth 0.5
set style fill solid 1 noborder
set xrange [-0.5:31.5]
set xtics 0, 4, 31 scale 0 offset 0, 0.3
set xlabel 'bank' offset 0, 0.9
# A dark word is alone in its bank. A light word shares its bank with other words of the same store.
tint(is_shared) = is_shared > 0 ? 0xf5b041 : 0x08306b
used_in = 0.05
do for [i = 1:curves_count] {
    rows = curves_rows[i] + 1
    set lmargin at screen 0.055 + (i - 1) % 2 * 0.49
    set rmargin at screen 0.055 + (i - 1) % 2 * 0.49 + 0.45
    set tmargin at screen 1 - (used_in + 0.2) / wanted_in
    set bmargin at screen 1 - (used_in + 0.2 + rows * word_in) / wanted_in
    set yrange [rows - 0.5:-0.5]
    set ytics 0, 8, rows scale 0
    set title curves_title[i] offset 0, -0.9
    if (i % 2 == 1) { set ylabel 'row of words' offset 1.5, 0 } else { unset ylabel }
    plot $curves index i - 1 using 1:2:(0.46):(0.44):(tint($4)) with boxxyerror linecolor rgb variable notitle, \
         '' index i - 1 using 1:($4 > 0 ? NaN : $2):(sprintf('%d', $3)) with labels \
             font ',4' textcolor rgb 'white' notitle, \
         '' index i - 1 using 1:($4 > 0 ? $2 : NaN):(sprintf('%d', $3)) with labels \
             font ',4' textcolor rgb 'black' notitle
    if (i % 2 == 0) { used_in = used_in + panel_in(i) }
}
unset multiplot
