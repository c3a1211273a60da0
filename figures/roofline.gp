# Draws the measured roofs of the devices in one panel, and every variant at its arithmetic intensity. A line leads from
# there to the intensity that follows from the counted traffic.
# SPDX-License-Identifier: MIT
load data
set encoding utf8
panel_in = 1.5
right_wanted_in = 0.1
do for [i = 1:levels_count] {
    level_in = strlen(levels_title[i]) * 0.053 + 0.1
    right_wanted_in = level_in > right_wanted_in ? level_in : right_wanted_in
}
panel_title_in = 0.14
load 'figures/style.gp'

if (counts_count == 0) {
    array counts_style[1] = [1]
}

set multiplot
set logscale xy 10
set format x '%g'
set format y '%g'
set xlabel say('flops per byte of compulsory traffic') offset 0, 0.5
set label 902 say('GFLOP/s') @beside
set lmargin at screen panel_left(1)
set rmargin at screen panel_right(1)
set tmargin at screen panel_top(1)
set bmargin at screen panel_bottom(1)
ridge(i) = roofs_peak[i] / roofs_bandwidth[i]
x_left = x_counted
x_right = x_most
y_top = 0
do for [i = 1:roofs_count] {
    x_left = ridge(i) < x_left ? ridge(i) : x_left
    x_right = ridge(i) > x_right ? ridge(i) : x_right
    y_top = roofs_most[i] > y_top ? roofs_most[i] : y_top
}
x_left = x_left / 2
x_right = x_right * 2
set xrange [x_left:x_right]
do for [i = 1:levels_count] {
    y_top = levels_value[i] > y_top ? levels_value[i] : y_top
    level = levels_value[i]
    left = x_left
    do for [j = 1:roofs_count] {
        if (levels_device[i] == roofs_device[j]) { left = level / roofs_bandwidth[j] }
    }
    left = left > x_left ? left : x_left
    set arrow from first left, first level to graph 1, first level nohead dashtype 2 linewidth 0.8 \
        linecolor rgb '#444444'
    set label levels_title[i] at graph 1.02, first level left textcolor rgb '#444444'
}
# The roofs are told below the title, the CPU's at the left and the GPU's at the right.
do for [i = 1:roofs_count] {
    is_gpu = roofs_device[i] == 2
    set label 910 + i roofs_title[i] . ': ' . roofs_peak_text[i] . ', ' . roofs_bandwidth_text[i] \
        at screen (is_gpu && roofs_count > 1 ? 0.5 : 0.01), screen 1 - title_in / height_in left \
        textcolor rgb ceiling_colour(is_gpu)
}
set yrange [*:y_top * 2]
roof(i, x) = x < ridge(i) ? roofs_bandwidth[i] * x : roofs_peak[i]
plot for [j = 1:roofs_count] roof(j, x) with lines linecolor rgb ceiling_colour(roofs_device[j] == 2) linewidth 1.5 \
         notitle, \
     for [i = 1:curves_count] $curves index i - 1 \
         using 1:2:(hollow(curves_style[i], curves_dash[i]) + ($3 > 0 ? 0 : 1)) with points pointtype variable \
         pointsize (curves_grey[i] ? 0.3 : 0.6) linecolor rgb curve_colour(i) notitle, \
     for [i = 1:counts_count] $counts index i - 1 using 1:2:($3 - $1):(0) with vectors nohead \
         linecolor rgb colour(counts_style[i]) linewidth 0.8 notitle, \
     for [i = 1:counts_count] $counts index i - 1 using 3:2 with points pointtype 2 pointsize 0.5 \
         linecolor rgb colour(counts_style[i]) notitle
key_lines = 0
load 'figures/key.gp'
unset multiplot
