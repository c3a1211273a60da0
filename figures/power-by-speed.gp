# Speed over power, a panel for each problem and precision. Dashed lines are lines of equal efficiency.
# SPDX-License-Identifier: MIT
load data
panel_columns = panels_count > 1 ? 2 : 1
panel_rows = (panels_count + panel_columns - 1) / panel_columns
panel_in = panels_count > 1 ? 0.95 : 1.25
panel_title_in = 0.16
left_wanted_in = 0.56
right_wanted_in = 0.5
load 'figures/style.gp'

set multiplot
set logscale xy 10
set format xy '%g'
set xtics (25, 50, 100, 200, 400, 800)
set ytics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
# All panels have the same axes. The number of a line, in GFLOP/s per watt, stands where the line leaves the panel.
x_left = x_least / 1.15
x_right = x_most * 1.15
y_low = y_least / 1.3
y_high = y_most * 1.3
set xrange [x_left:x_right]
set yrange [y_low:y_high]
is_decade(value) = abs(log10(value) - floor(log10(value) + 0.5)) < 1e-6
has_line(i) = y_high / y_low < 30 || is_decade(levels_value[i])
do for [i = 1:levels_count] {
    ends_at = levels_value[i] * 1e-3 * x_right
    if (has_line(i) && ends_at > y_low && ends_at < y_high) {
        set label 100 + i levels_title[i] at graph 1.02, first ends_at left textcolor rgb text_colour
    }
}
do for [panel = 1:panels_count] {
    load 'figures/panel.gp'
    set title panels_title[panel] offset 0, -0.8
    set xlabel (panel + panel_columns > panels_count ? say('power, W') : '') offset 0, 1.2
    if (panel_column(panel) == 0) {
        set label 902 say('TFLOP/s') @beside
        set format y '%g'
    } else {
        unset label 902
        set format y ''
    }
    plot for [i = 1:levels_count] (has_line(i) ? levels_value[i] * 1e-3 * x : NaN) with lines dashtype 3 linewidth 0.7 \
             linecolor rgb '#888888' notitle, \
         for [i = 1:curves_count] $curves index i - 1 using ($1 == panel ? $2 : NaN):3 with lines \
             linecolor rgb curve_colour(i) linewidth 0.7 notitle, \
         for [i = 1:curves_count] $curves index i - 1 \
             using ($1 == panel ? $2 : NaN):3:($4 > 0 ? 4 : open_mark(i) + 1) with points \
             pointtype variable pointsize (curves_grey[i] ? 0.3 : 0.5) linecolor rgb curve_colour(i) notitle
    unset label 901
}
key_lines = 0
load 'figures/key.gp'
unset multiplot
