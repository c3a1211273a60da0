# Draws the words that one store of a warp writes. Columns are the 32 banks, rows the words at one place of all banks.
# SPDX-License-Identifier: MIT
load data
# A row has two panels, each as high as the words of its tile need.
word_in = 0.019
room_in = 0.34
title_in = 0.25
panel_in(i) = (curves_rows[i] + 1) * word_in + room_in
height_wanted_in = title_in + 0.1
do for [i = 1:curves_count:2] { height_wanted_in = height_wanted_in + panel_in(i) }
load 'figures/style.gp'

set multiplot
set border 15 linecolor rgb '#888888' linewidth 0.5
set grid xtics ytics linecolor rgb '#dddddd' linewidth 0.5
set style fill solid 1 noborder
set xrange [-0.5:31.5]
set xtics 0, 8, 31 scale 0 offset 0, 0.4
# A dark word is alone in its bank. A light word shares its bank with other words of the same store.
tint(is_shared) = is_shared > 0 ? 0xf5b041 : 0x08306b
set label 902 say('row of 128 bytes') at screen 0.015, screen (height_in - title_in) / (2 * height_in) center \
    rotate by 90
used_in = title_in
do for [i = 1:curves_count] {
    rows = curves_rows[i] + 1
    set lmargin at screen 0.11 + (i - 1) % 2 * 0.455
    set rmargin at screen 0.11 + (i - 1) % 2 * 0.455 + 0.415
    set tmargin at screen 1 - (used_in + 0.14) / height_in
    set bmargin at screen 1 - (used_in + 0.14 + rows * word_in) / height_in
    set yrange [rows - 0.5:-0.5]
    set ytics 0, 8, rows scale 0
    set title curves_title[i] offset 0, -0.9
    set format y (i % 2 == 1 ? '%g' : '')
    set xlabel (i + 2 > curves_count ? say('bank (4 bytes wide)') : '') offset 0, 1.2
    plot $curves index i - 1 using 1:2:(0.46):(0.44):(tint($4)) with boxxyerror linecolor rgb variable notitle
    if (i % 2 == 0) { used_in = used_in + panel_in(i) }
    unset label 901
    unset label 902
}
unset multiplot
