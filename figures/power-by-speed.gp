# Speed over power, a panel for each problem and precision. Dashed lines are lines of equal efficiency.
# SPDX-License-Identifier: MIT
load data
panel_columns = panels_count > 1 ? 2 : 1
panel_rows = (panels_count + panel_columns - 1) / panel_columns
panel_in = panels_count > 1 ? 0.95 : 1.5
panel_title_in = 0.16
left_wanted_in = 0.56
right_wanted_in = 0.5
load 'figures/style.gp'

set multiplot
set logscale xy 10
set format xy '%g'
set xtics (20, 30, 50, 70, 100, 150, 200, 300, 400, 600, 800, 1000)
set ytics (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
do for [panel = 1:panels_count] {
    set lmargin at screen panel_left(panel)
    set rmargin at screen panel_right(panel)
    set tmargin at screen panel_top(panel)
    set bmargin at screen panel_bottom(panel)
    x_left = panels_left[panel] / 1.15
    x_right = panels_right[panel] * 1.15
    y_low = panels_low[panel] / 1300.0
    y_high = panels_high[panel] * 1.3e-3
    set xrange [x_left:x_right]
    set yrange [y_low:y_high]
    set title panels_title[panel] offset 0, -0.8
    set xlabel (panel + panel_columns > panels_count ? say('W') : '') offset 0, 0.55
    if (panel_column(panel) == 0) { set label 902 say('TFLOP/s') @beside } else { unset label 902 }
    # The number of a line, in GFLOP/s per watt, stands where the line leaves the panel.
    do for [i = 1:levels_count] {
        ends_at = levels_value[i] * 1e-3 * x_right
        unset label 100 + i
        if (ends_at > y_low && ends_at < y_high) {
            set label 100 + i levels_title[i] at graph 1.02, first ends_at left textcolor rgb '#666666'
        }
    }
    plot for [i = 1:levels_count] levels_value[i] * 1e-3 * x with lines dashtype 3 linewidth 0.7 \
             linecolor rgb '#888888' notitle, \
         for [i = 1:curves_count] $curves index i - 1 using ($1 == panel ? $2 : NaN):($3 * 1e-3) with lines \
             linecolor rgb curve_colour(i) linewidth 0.7 notitle, \
         for [i = 1:curves_count] $curves index i - 1 \
             using ($1 == panel ? $2 : NaN):($3 * 1e-3):($4 > 0 ? 4 : hollow(curves_style[i], 0) + 1) with points \
             pointtype variable pointsize (curves_grey[i] ? 0.3 : 0.5) linecolor rgb curve_colour(i) notitle
    unset label 901
}
key_lines = 0
load 'figures/key.gp'
unset multiplot
