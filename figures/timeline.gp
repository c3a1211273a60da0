# A line for each thread of a run, coloured by the kind of its work. Each variant has a panel, all on one scale of time.
# SPDX-License-Identifier: MIT
load data
panel_rows = panels_count
panel_title_in = 0.16
panel_in = 0.1 * threads_most + 0.2
wide = 1
load 'figures/style.gp'

# Kinds of work have the colours of Okabe and Ito, and differ in lightness too.
colour(style) = word('#56b4e9 #0072b2 #000000 #f0e442 #d55e00', style)
width(style) = 5
dashes(style, rank) = 1
hollow(style, rank) = -1
set multiplot
set style fill solid 1 noborder
set xrange [0:1.01 * x_most]
unset grid
set label 902 say('thread') @beside
do for [panel = 1:panels_count] {
    load 'figures/panel.gp'
    set yrange [panels_threads[panel] + 0.5:-0.5]
    set ytics 0, (panels_threads[panel] > 8 ? 4 : 1), panels_threads[panel] - 1
    set ytics add (say('path') panels_threads[panel])
    set title panels_title[panel] offset 0, -0.8
    set xlabel (panel == panels_count ? say('milliseconds since the run began') : '') offset 0, 0.5
    set format x (panel == panels_count ? '%g' : '')
    plot for [i = 1:curves_count] $curves index i - 1 \
             using ($1 == panel ? ($2 + $3) / 2 : NaN):4:2:3:($4 - 0.4):($4 + 0.4) with boxxyerror \
             linecolor rgb curve_colour(i) notitle
    unset label 901
}
key_lines = 1
load 'figures/key.gp'
unset multiplot
