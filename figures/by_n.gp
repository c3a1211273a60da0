# Draws curves over n, in one panel or two. A script sets left_label and right_label ('' for one panel) before it loads
# this file. It may also set x_label, x_linear, ceilings_drawn, and a level line in each panel: reference,
# right_reference.
# SPDX-License-Identifier: MIT
panels = right_label eq '' ? 1 : 2
half = panels == 1
load 'figures/style.gp'

set multiplot
left_edge(panel) = panels == 1 ? 0.17 : panel == 1 ? 0.085 : 0.585
right_edge(panel) = panels == 1 ? 0.97 : panel == 1 ? 0.485 : 0.985

if (exists("x_linear")) {
    set xrange [word(sizes, 1) - 0.3:word(sizes, words(sizes)) + 0.3]
    set xtics ()
    do for [i = 1:words(sizes)] { set xtics add (word(sizes, i) word(sizes, i) + 0.0) }
} else {
    label_share = 0.13
    margin_share = 0.04
    load 'figures/size_ticks.gp'
}
set xlabel exists("x_label") ? x_label : 'n'

# Left panel.
set lmargin at screen left_edge(1)
set rmargin at screen right_edge(1)
set bmargin at screen bottom
set tmargin at screen top
set ylabel left_label offset 0.5, 0
# The axis ends above the curves and their bands.
stats $curves using 4 nooutput
top_y = STATS_max > y_most ? STATS_max : y_most
do for [i = 1:ceilings] {
    if (is_drawn(ceilings_value[i]) && ceilings_value[i] > top_y) { top_y = ceilings_value[i] }
}
if (is_log(y_least, y_most)) {
    set logscale y 10
    set yrange [y_least / 1.5:top_y * 1.6]
    set format y '10^{%T}'
    if (ratio_of(y_least, y_most) < 1e4 && y_least >= 0.01 && y_most < 1e5) { set format y '%g' }
} else {
    set yrange [0:top_y * 1.08]
    set format y '%g'
}
if (exists("reference")) {
    set arrow 99 from graph 0, first reference to graph 1, first reference nohead dashtype 3 linecolor rgb '#888888'
}
do for [i = 1:ceilings] {
    if (is_drawn(ceilings_value[i])) {
        tint = ceilings_gpu[i] ? '#8b0000' : '#444444'
        set arrow 10 + i from graph 0, first ceilings_value[i] to graph 1, first ceilings_value[i] nohead \
            dashtype 2 linewidth 0.8 linecolor rgb tint
    }
}
plot for [i = 1:curves_count] $curves index i - 1 using 1:3:4 with filledcurves \
         linecolor rgb colour(curves_style[i]) notitle, \
     for [i = 1:curves_count] $curves index i - 1 using 1:2 with lines linecolor rgb colour(curves_style[i]) \
         linewidth width(curves_style[i]) dashtype dashes(curves_style[i], curves_dash[i]) notitle, \
     for [i = 1:curves_count] $curves index i - 1 \
         using 1:2:(hollow(curves_style[i], curves_dash[i]) + ($5 > 0 ? 0 : 1)) with points pointtype variable \
         pointsize 0.45 linecolor rgb colour(curves_style[i]) notitle

# Right panel.
if (panels == 2) {
    unset arrow
    unset logscale y
    set lmargin at screen left_edge(2)
    set rmargin at screen right_edge(2)
    set ylabel right_label
    set yrange [0:*]
    set format y '%g'
    if (exists("right_reference")) {
        set arrow 99 from graph 0, first right_reference to graph 1, first right_reference nohead dashtype 3 \
            linecolor rgb '#888888'
    }
    plot for [i = 1:curves_count] $curves index i - 1 using 1:7:8 with filledcurves \
             linecolor rgb colour(curves_style[i]) notitle, \
         for [i = 1:curves_count] $curves index i - 1 using 1:6 with lines linecolor rgb colour(curves_style[i]) \
             linewidth width(curves_style[i]) dashtype dashes(curves_style[i], curves_dash[i]) notitle, \
         for [i = 1:curves_count] $curves index i - 1 \
             using 1:6:(hollow(curves_style[i], curves_dash[i]) + ($5 > 0 ? 0 : 1)) with points pointtype variable \
             pointsize 0.45 linecolor rgb colour(curves_style[i]) notitle
}
key_lines = 1
load 'figures/key.gp'
unset multiplot
