# Draws points over the tile, a panel for each n. There are no lines, since nothing lies between two tiles.
# A script sets left_label and x_label before it loads this file.
# SPDX-License-Identifier: MIT
load data
panels = words(sizes)
panel_columns = panels < 3 ? panels : 3
panel_rows = (panels + panel_columns - 1) / panel_columns
load 'figures/style.gp'

set multiplot
set logscale y 10
set format y '10^{%T}'
set xtics ()
do for [i = 1:words(tiles)] { set xtics add (word(tiles, i) i) }
set xrange [0.5:words(tiles) + 0.5]
place(tile) = sum [i = 1:words(tiles)] (word(tiles, i) == tile ? i : 0)
do for [panel = 1:panels] {
    size = word(sizes, panel) + 0
    set lmargin at screen panel_left(panel) + 0.065
    set rmargin at screen panel_right(panel)
    set tmargin at screen panel_top(panel)
    set bmargin at screen panel_bottom(panel)
    set title sprintf('n = %d', size) offset 0, -0.6
    set xlabel x_label offset 0, 0.4
    if (panel_left(panel) == panel_left(1)) { set ylabel left_label offset 0.5, 0 } else { unset ylabel }
    plot for [i = 1:curves_count] $curves index i - 1 \
             using (curves_level[i] && $1 == size ? 0.5 : NaN):3:(words(tiles)):(0) with vectors nohead \
             linecolor rgb colour(curves_style[i]) linewidth width(curves_style[i]) notitle, \
         for [i = 1:curves_count] $curves index i - 1 \
             using ($1 == size ? place($2) : NaN):3:4:5 with yerrorbars pointtype 0 \
             linecolor rgb colour(curves_style[i]) notitle, \
         for [i = 1:curves_count] $curves index i - 1 \
             using ($1 == size ? place($2) : NaN):3:(hollow(curves_style[i], 0) + ($6 > 0 ? 0 : 1)) with points \
             pointtype variable pointsize 0.6 linecolor rgb colour(curves_style[i]) notitle
}
key_lines = 0
load 'figures/key.gp'
unset multiplot
