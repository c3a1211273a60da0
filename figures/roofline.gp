# Draws the measured roofs of each device in a panel, and each variant at the traffic that it asks for. Tiles of a
# variant are joined.
# SPDX-License-Identifier: MIT
load data
panels = panels_count
panel_columns = panels > 1 ? 2 : 1
panel_rows = 1
panel_in = 1.25
panel_title_in = panels > 1 ? 0.14 : 0
left_wanted_in = 0.56
right_wanted_in = 0.1
load 'figures/style.gp'

# On logarithmic axes a slope rises by a decade a decade. All panels share the y axis.
set multiplot
set logscale xy 10
set xtics (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000)
low_x = x_least / 3
high_x = x_most * 4
high_y = y_most * 2.5
do for [i = 1:slopes_count] {
    do for [j = 1:flats_count] {
        ridge = flats_value[j] / slopes_value[i]
        if (slopes_panel[i] == flats_panel[j] && ridge * 2 > high_x && ridge < 100 * x_most) { high_x = ridge * 2 }
        if (slopes_panel[i] == flats_panel[j] && ridge / 6 < low_x && ridge > x_least / 100) { low_x = ridge / 6 }
    }
}
do for [j = 1:flats_count] { high_y = larger(high_y, flats_value[j] * 2) }
# The number at the lowest point stands above the axis.
low_y = y_least / larger(2, (high_y / y_least) ** 0.16)
frame_names = 'low_x high_x low_y high_y'
load 'figures/frame.gp'
set xrange [low_x:high_x]
set yrange [low_y:high_y]
# An axis of hardly a decade has more numbers than its powers of ten.
if (high_y / low_y < 100 && high_y < 1e5) {
    do for [power = -2:4] {
        do for [digit in '2 5'] { set ytics add (sprintf('%g', digit * 10.0 ** power) digit * 10.0 ** power) }
    }
}
# A number that would stand upon the same number of another curve is left out.
place_x(x) = int(10 * panel_width_in * log10(x / low_x) / log10(high_x / low_x))
place_y(y) = int(14 * panel_in * log10(y / low_y) / log10(high_y / low_y))
spot(at_x, at_y, tile) = sprintf('|%d %d %d|', at_x, at_y, tile)
is_seen(x, y, tile) = sum [right = -1:1] sum [up = -1:1] strstrt(seen, spot(place_x(x) + right, place_y(y) + up, tile))
number(x, y, tile) = (was_seen = is_seen(x, y, tile), seen = seen . spot(place_x(x), place_y(y), tile), \
                      was_seen ? '' : sprintf('%d', tile))
# The number of a ridge stands above its roof, clear of points. Where the name of the roof is there, it stands below, or
# nowhere if the name of the next slope is there.
has_room(x) = panel_width_in * log10(high_x / x) / log10(high_x / low_x) > 0.74
width_by_height = panel_width_in / log10(high_x / low_x) / (panel_in / log10(high_y / low_y))
angle = atan(1 / width_by_height) * 180 / pi
do for [panel = 1:panels] {
    load 'figures/panel.gp'
    seen = ''
    set title (panels > 1 ? panels_title[panel] : '') offset 0, -0.8
    if (panel == 1) {
        x_axis = say((of_integers ? 'operations' : 'flops') . ' per byte that the kernel asks for')
        set label 903 x_axis center \
            at screen (panel_left(1) + panel_right(panels)) / 2, screen panel_bottom(1) - 0.29 / height_in
        set label 902 say(of_integers ? 'Gop/s' : 'GFLOP/s') @beside
        set format y decades(high_y)
    } else {
        unset label 902
        unset label 903
        set format y ''
    }
    # A slope ends at the highest flat roof, the flat roofs begin at the steepest slope.
    highest = high_y
    do for [j = 1:flats_count] { if (flats_panel[j] == panel) { highest = flats_value[j] } }
    steepest = 0.0
    shallowest = 1e99
    do for [i = 1:slopes_count] {
        unset arrow 100 + i
        unset label 100 + i
        from_x = larger(low_x, low_y / slopes_value[i])
        # gnuplot draws an arrow outside of the panel too.
        if (slopes_panel[i] == panel && from_x * slopes_value[i] < highest) {
            steepest = larger(steepest, slopes_value[i])
            shallowest = slopes_value[i] < shallowest ? slopes_value[i] : shallowest
            set arrow 100 + i from first from_x, first from_x * slopes_value[i] \
                to first highest / slopes_value[i], first highest nohead linewidth 1.2 linecolor rgb '#444444'
            set label 100 + i slopes_name[i] . ', ' . slopes_text[i] at first from_x, first from_x * slopes_value[i] \
                left rotate by angle offset 0.9, 0.8 font ',6' textcolor rgb text_colour
        }
    }
    do for [j = 1:flats_count] {
        unset arrow 200 + j
        unset label 200 + j
        if (flats_panel[j] == panel) {
            set arrow 200 + j from first (steepest > 0 ? larger(low_x, flats_value[j] / steepest) : low_x), \
                first flats_value[j] \
                to graph 1, first flats_value[j] nohead linewidth 1.2 linecolor rgb '#444444'
            set label 200 + j flats_name[j] . ', ' . flats_text[j] at graph 0.99, first flats_value[j] right \
                offset 0, 0.45 font ',6' textcolor rgb text_colour
        }
    }
    plot for [i = 1:curves_count] $curves index i - 1 using ($1 == panel ? $3 : NaN):4 with lines \
             linecolor rgb curve_colour(i) linewidth 0.7 notitle, \
         for [i = 1:curves_count] $curves index i - 1 \
             using ($1 == panel ? $3 : NaN):4:(open_mark(i) + ($5 > 0 ? 0 : 1)) with points \
             pointtype variable pointsize 0.6 linecolor rgb curve_colour(i) notitle, \
         for [i = 1:curves_count] $curves index i - 1 \
             using ($1 == panel && $2 > 0 ? $3 : NaN):4:($1 == panel && $2 > 0 ? number($3, $4, $2) : '') with labels \
             left offset 0.9, -0.35 font ',6' textcolor rgb text_colour notitle, \
         for [i = 1:1] $ridges using ($1 == panel ? $2 : NaN):3 with points pointtype 6 pointsize 0.35 \
             linecolor rgb '#444444' notitle, \
         for [i = 1:1] $ridges using ($1 == panel && has_room($2) ? $2 : NaN):3:(gprintf('%.3g', $2)) with labels \
             offset 0, 0.6 font ',6' textcolor rgb text_colour notitle, \
         for [i = 1:1] $ridges \
             using ($1 == panel && !has_room($2) && 1.01 * $2 * shallowest > $3 ? $2 : NaN):3: \
                   (gprintf('%.3g', $2)) with labels left offset 0.8, -0.6 font ',6' textcolor rgb text_colour notitle
    unset label 901
}
key_lines = 0
load 'figures/key.gp'
unset multiplot
