# The samples of the fastest own cell and of the library, a line for each problem and precision: time over the median.
# SPDX-License-Identifier: MIT
load data
panel_in = 0.22 * lines_count + 0.1
left_wanted_in = 0.3
do for [i = 1:lines_count] {
    wanted_in = strlen(lines_title[i]) * 0.055 + 0.15
    left_wanted_in = wanted_in > left_wanted_in ? wanted_in : left_wanted_in
}
load 'figures/style.gp'

# Samples beyond the frame stand at its edge, as triangles.
high_x = larger(1.1, x_most > 1.5 ? 1.5 : x_most * 1.01)
low_x = x_least < 0.8 ? 0.8 : x_least < 0.96 ? x_least - 0.01 : 0.95
frame_names = 'low_x high_x'
load 'figures/frame.gp'
inside(x) = x > high_x ? high_x : x < low_x ? low_x : x
set multiplot
panel = 1
load 'figures/panel.gp'
set xrange [low_x:high_x]
set yrange [lines_count + 0.5:0.5]
set grid xtics noytics
set xtics high_x - low_x < 0.25 ? 0.05 : 0.1
set xlabel say('time of a run / median') offset 0, 1.2
set ytics () scale 0
do for [i = 1:lines_count] { set ytics add (lines_title[i] lines_line[i]) }
set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead dashtype 3 linecolor rgb '#888888'
# The rounds of a cell stand one below the other within the line.
place(i, line, round) = line + (curves_style[i] < 10 ? 0.06 : -0.36) + 0.3 * round
plot for [i = 1:curves_count] $curves index i - 1 \
         using (inside($2)):(place(i, $1, $3)): \
               ($2 > high_x || $2 < low_x ? 9 : open_mark(i) + 1) with points pointtype variable \
         pointsize 0.3 linewidth 0.6 linecolor rgb curve_colour(i) notitle
unset label 901
key_lines = 0
load 'figures/key.gp'
unset multiplot
