# A matrix of claims: a line for each source, a mark for each of its claims, whose colour and shape tell the verdict.
# The rows are those of report/verdicts.sql. SPDX-License-Identifier: MIT
load data
line_in = 0.16
axis_in = 0.2 # it has no label
panel_in = line_in * lines_count
left_wanted_in = 0.8
no_key = 1
key_in = 0.125 * ((curves_count + 1) / 2) + 0.06
load 'figures/style.gp'
array verdict_colour[7] = ['#009e73', '#009e73', '#d55e00', '#0072b2', '#000000', '#777777', '#777777']
array verdict_point[7] = [5, 4, 2, 13, 6, 1, 7]
array verdict_size[7] = [0.4, 0.4, 0.5, 0.6, 0.5, 0.45, 0.15]

set multiplot
panel = 1
load 'figures/panel.gp'
set border 0
unset grid
set xrange [0.4:most + 0.6]
set yrange [lines_count + 0.6:0.4]
set xtics most > 25 ? 5 : 1 scale 0 offset 0, 0.7
set ytics () scale 0
do for [i = 1:lines_count] { set ytics add (lines_title[i] lines_line[i]) }
plot for [i = 1:curves_count] $curves index i - 1 using 1:2 with points pointtype verdict_point[curves_style[i]] \
     pointsize verdict_size[curves_style[i]] linecolor rgb verdict_colour[curves_style[i]] notitle
unset border
unset tics
set lmargin at screen 0.02
set rmargin at screen 0.98
set bmargin at screen 0
set tmargin at screen key_in / height_in
set xrange [0:1]
set yrange [0:1]
set key at screen 0.5, screen key_in / height_in center top horizontal maxcols 2 \
    samplen 1 spacing 0.81 width key_less reverse Left
plot for [i = 1:curves_count] NaN with points pointtype verdict_point[curves_style[i]] \
     pointsize verdict_size[curves_style[i]] linecolor rgb verdict_colour[curves_style[i]] title curves_title[i]
unset multiplot
