# The figure of the summary: a line for each problem, device and precision, with a point for the source's program, the
# best own one and the library. The rows are those of report/standing.sql. SPDX-License-Identifier: MIT
load data
line_in = 0.118
panel_in = line_in * (lines_count + 0.6 + (native < lines_count))
left_wanted_in = 0.2
do for [i = 1:lines_count] {
    wanted_in = strlen(lines_title[i]) * 0.058 + 0.1
    left_wanted_in = wanted_in > left_wanted_in ? wanted_in : left_wanted_in
}
load 'figures/style.gp'

set multiplot
panel = 1
load 'figures/panel.gp'
# Products from parts of operands stand below a level line, one line apart.
place(line) = line + (line > native ? 1 : 0)
# An interval may end above the ceiling.
stats $curves using 4 nooutput
high_x = larger(100, 1.01 * STATS_max)
frame_names = 'high_x'
load 'figures/frame.gp'
set xrange [0:high_x]
set yrange [place(lines_count) + 0.8:0.2]
set xtics 0, 20, 100
set grid xtics noytics
set xlabel say('% of the measured ceiling') offset 0, 1.2
set ytics () scale 0
do for [i = 1:lines_count] { set ytics add (lines_title[i] place(lines_line[i])) }
if (native < lines_count) {
    set arrow 1 from graph 0, first native + 1 to graph 1, first native + 1 nohead dashtype 3 linecolor rgb '#888888'
    set ytics add (say('split products') . ':' native + 1)
}
# The library is black, and stands a little below the own variant, which it would hide.
curve_colour(i) = curves_style[i] == 82 ? '#000000' : colour(curves_style[i])
height(i, line) = place(line) + (curves_style[i] == 82 ? 0.17 : curves_style[i] == 81 ? -0.17 : 0)
mark(i, doubt) = open_mark(i) + (doubt > 0 ? 0 : 1)
plot for [i = 1:curves_count] $curves index i - 1 using 2:(height(i, $1)):3:4 with xerrorbars pointtype 0 \
         linewidth 0.9 linecolor rgb curve_colour(i) notitle, \
     for [i = 1:curves_count] $curves index i - 1 \
         using 2:(height(i, $1)):(mark(i, $5)) with points pointtype variable pointsize 0.5 \
         linecolor rgb curve_colour(i) notitle
unset label 901
key_lines = 0
load 'figures/key.gp'
unset multiplot
