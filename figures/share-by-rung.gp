# The rungs of a ladder from the first to the last: per cent of the library's speed, with what each rung is.
# SPDX-License-Identifier: MIT
load data
wide = 1
if (curves_count == 1) { no_key = 1 }
line_in = 0.19
panel_in = line_in * (lines_count + problems_count - 1) + 0.1
left_wanted_in = 0.3
text_in = 2.9
do for [i = 1:lines_count] {
    wanted_in = strlen(lines_title[i]) * 0.055 + 0.15
    left_wanted_in = wanted_in > left_wanted_in ? wanted_in : left_wanted_in
}
right_wanted_in = text_in
load 'figures/style.gp'

# A text stands on two lines if one has no room for it; the first line ends at its last blank that fits.
most_letters = int((text_in - 0.1) / 0.0485)
array texts[lines_count]
array rests[lines_count]
do for [i = 1:lines_count] {
    texts[i] = lines_what[i]
    rests[i] = ''
    if (strlen(texts[i]) > most_letters) {
        cut = most_letters
        while (cut > 1 && texts[i][cut:cut] ne ' ') { cut = cut - 1 }
        rests[i] = texts[i][cut + 1:*]
        texts[i] = texts[i][1:cut - 1]
    }
}
set multiplot
panel = 1
load 'figures/panel.gp'
set logscale x 10
set xrange [y_least / 1.4:(y_most > 100 ? y_most : 100) * 1.4]
set yrange [lines_count + problems_count - 0.4:0.4]
set xtics (1, 3, 10, 30, 100, 300, 1000)
set grid xtics noytics
set xlabel say('% of the library') offset 0, 1.2
# The lines of each problem stand one line below those of the problem before.
set ytics () scale 0
do for [i = 1:lines_count] {
    set ytics add (lines_title[i] lines_line[i])
    first_line = lines_line[i] - (rests[i] eq '' ? 0 : 0.23)
    set label 100 + i texts[i] at graph 1, first first_line left offset 0.8, 0 font ',6' textcolor rgb text_colour
    set label 300 + i rests[i] at graph 1, first first_line + 0.46 left offset 0.8, 0 font ',6' \
        textcolor rgb text_colour
}
set arrow 1 from first 100, graph 0 to first 100, graph 1 nohead dashtype 2 linecolor rgb '#444444'
plot for [i = 1:curves_count] $curves index i - 1 using 2:1:3:4 with xerrorbars pointtype 0 linewidth 0.9 \
         linecolor rgb curve_colour(i) notitle, \
     for [i = 1:curves_count] $curves index i - 1 \
         using 2:1:(open_mark(i) + ($5 > 0 ? 0 : 1)) with points pointtype variable pointsize 0.55 \
         linecolor rgb curve_colour(i) notitle
unset label 901
key_lines = 0
load 'figures/key.gp'
unset multiplot
