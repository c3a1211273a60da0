# Gives every figure the same look. A script sets `data` and `output`, and may set `title_text` and `wide`, before it
# loads this file. `data` is a file that `tilelab query --format gnuplot` wrote; `output` is an SVG whose unit is a
# point. A figure has half the width of the text, so that two stand side by side; with `wide` it has nearly the full
# width. `svg_name` begins the names of symbols, which must differ where several figures share a page.
# SPDX-License-Identifier: MIT
load data
# The panels of several machines share the scale of their y axes.
if (exists("all_least")) {
    y_least = all_least
    y_most = all_most
}
set encoding utf8
set datafile missing 'NaN'
# The data have a function say(text), which gives the text in the language of the report, unless this is English.
if (!exists("GPFUN_say")) { say(text) = text }
if (exists("decimal_sign")) { set decimalsign decimal_sign }
# A time with its unit, as "10 ms", since gnuplot knows the names of units in English only.
time_power(t) = t < 1e-9 ? -3 : floor(log10(t) / 3 + 1e-9)
time_label(t) = t == 0 ? '0' : gprintf('%.3g', t / 1000.0 ** time_power(t)) . ' ' . \
                word(say('ns µs ms s ks'), int(time_power(t)) + 4)

# A library is a thick black line. Own variants have colours of Okabe and Ito, and each has one colour in the whole
# report; dashes tell the tile. No two curves of a figure have the same colour and the same shape. Colour-blind readers
# can tell curves apart, and so can readers of a grey print. Methods and sizes, from style 80 on, have the same colours.
array own_colour[5] = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00']
colour(style) = style < 10 ? '#000000' : own_colour[style % 5 + 1]
text_colour = '#222222'
width(style) = style < 10 ? 2.6 : 1.5
# Libraries differ by their dashes, and so do the tiles and threads of a variant.
library_dash(style) = style == 5 || style == 6 ? style - 2 : style
dash(style, rank) = rank + (style < 10 ? library_dash(style) : style < 65 || style >= 80 ? 1 : 3)
dashes(style, rank) = (dash(style, rank) - 1) % 5 + 1
# Even point types are hollow: they mark cells that carry a flag. open_mark(i) is the hollow type of a curve. The sixth
# shape is a star, of which the cross stands for hollow: a pentagon looks like a circle.
hollow(style, rank) = 4 + 2 * ((style + style / 5 + rank) % 5)
# gnuplot joins successive arrows of one colour in an SVG, with the dashes of the first one, so that each has its own.
ceiling_colour(i) = (ceilings_gpu[i] ? 0x8b0000 : 0x444444) + i
# The ceilings of one figure differ by their dashes and, from the fifth on, by their width.
ceiling_dash(i) = (i - 1) % 4 + 2
ceiling_width(i) = i > 4 ? 1.8 : 0.8

# A grey curve is thin, stands behind the others and has no name: its variant has a better curve in the figure.
if (!exists("curves_grey")) {
    array curves_grey[curves_count]
    do for [i = 1:curves_count] { curves_grey[i] = 0 }
}
curve_colour(i) = curves_grey[i] ? '#c4c4c4' : colour(curves_style[i])
curve_width(i) = curves_grey[i] ? 0.8 : width(curves_style[i])
curve_dashes(i) = curves_grey[i] ? 1 : dashes(curves_style[i], curves_dash[i])
# A curve takes the next shape where an earlier one of its colour has its own. Own variants also differ by their shapes,
# or from the seventh on by shape or dashes, so that a grey print tells them apart. A library is black and thick.
array curves_mark[curves_count]
styled = exists("curves_style") ? curves_count : 0
is_own(i) = !curves_grey[i] && curves_style[i] >= 10
own_curves = sum [j = 1:styled] is_own(j)
do for [i = 1:styled] {
    curves_mark[i] = hollow(curves_style[i], curves_dash[i])
    do for [turn = 1:6] {
        is_taken = 0
        do for [j = 1:i - 1] {
            if (curves_mark[j] == curves_mark[i] && (curve_colour(j) eq curve_colour(i) || \
                is_own(i) && is_own(j) && (own_curves <= 6 || curve_dashes(j) == curve_dashes(i)))) { is_taken = 1 }
        }
        if (is_taken && !curves_grey[i]) { curves_mark[i] = 2 + curves_mark[i] % 12 }
    }
}
open_mark(i) = curves_mark[i]

set linetype 1 dashtype solid
ratio_of(least, most) = least > 0 ? most / least : 1
is_log(least, most) = ratio_of(least, most) > 20
# The numbers of a logarithmic axis that ends at `most`: powers of ten, where a number would have six digits.
decades(most) = most < 1e5 ? '%g' : '10^{%T}'

# A ceiling has an entry in the key. It is drawn where it does not squeeze the curves.
if (!exists("y_least")) {
    y_least = 1
    y_most = 1
}
ceilings = exists("ceilings_drawn") ? ceilings_count : 0
if (!exists("ceilings_title")) {
    array ceilings_title[1] = ['']
    array ceilings_gpu[1] = [0]
    array ceilings_value[1] = [0]
}
is_drawn(value) = is_log(y_least, y_most) || value < 4 * y_most

# The names of curves stand at their ends (`ends`) if all have room there, a long name on two lines, else in the key
# below the panels, unless a script sets `no_key`. The key has as many columns as its longest title allows.
comma(name) = strlen(name) > 16 ? strstrt(name, ', ') : 0
lines(name) = comma(name) > 0 ? 2 : 1
broken(name) = comma(name) > 0 ? name[1:comma(name)] . "\n" . name[comma(name) + 2:*] : name
first_line(name) = comma(name) > 0 ? comma(name) : strlen(name)
second_line(name) = comma(name) > 0 ? strlen(name) - comma(name) - 1 : 0
# gnuplot would set the lines of a text further apart than the letters need, so that each is a label of its own.
after_line(text) = strstrt(text, "\n") ? text[strstrt(text, "\n") + 1:*] : ''
line_of(text, j) = j > 1 ? line_of(after_line(text), j - 1) : \
                   strstrt(text, "\n") ? text[1:strstrt(text, "\n") - 1] : text
larger(a, b) = a > b ? a : b
width_in = exists("wide") ? 6.0 : 3.3
letter_in = 0.055
# Words in another language than English have wider letters.
end_letter_in = exists("decimal_sign") ? 0.059 : 0.055
key_letter_in = exists("decimal_sign") ? 0.054 : 0.046
longest_name = 8
longest_line = 8
names = 0
name_lines = 0
do for [i = 1:curves_count] {
    if (!curves_grey[i]) {
        names = names + 1
        name_lines = name_lines + lines(curves_title[i])
        longest_name = larger(longest_name, strlen(curves_title[i]))
        longest_line = larger(longest_line, larger(first_line(curves_title[i]), second_line(curves_title[i])))
    }
}
if (!exists("panel_rows")) { panel_rows = 1 }
if (!exists("panel_columns")) { panel_columns = 1 }
if (!exists("panel_in")) { panel_in = panel_rows > 1 ? 0.95 : 1.15 }
ends = exists("ends_wanted") && name_lines * 0.118 < panel_in + 0.1 && longest_line <= 22
longest_key = ends ? 8 : longest_name
widest_key = longest_key
# Names of ceilings have capitals and digits, which are half as wide again as other letters.
is_broad(letter) = strstrt('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', letter) > 0
letters(name) = strlen(name) + 0.5 * (sum [j = 1:strlen(name)] is_broad(name[j:j]))
key_entries = ends || exists("no_key") ? 0 : names
do for [i = 1:ceilings] {
    if (is_drawn(ceilings_value[i])) {
        key_entries = key_entries + 1
        longest_key = larger(longest_key, strlen(ceilings_title[i]))
        widest_key = larger(widest_key, letters(ceilings_title[i]))
    }
}
key_columns = int((width_in - 0.25) / (widest_key * key_letter_in + 0.42))
# gnuplot leaves out entries where it takes them to be wider than they are. It counts 0.0796 in for a letter and
# 0.355 in beside the letters.
counted_in = 0.0796
spare_in = 0.42 + widest_key * key_letter_in - 0.355 - longest_key * counted_in
key_less = spare_in < 0 ? spare_in / counted_in : 0
key_columns = key_columns < 1 ? 1 : key_columns > 5 ? 5 : key_columns
key_rows = (key_entries + key_columns - 1) / key_columns

if (!exists("title_text")) { title_text = '' }
# A panel with a title of its own needs room for it.
if (!exists("panel_title_in")) { panel_title_in = 0 }
title_in = title_text ne '' ? 0.25 : 0.1
if (!exists("key_in")) { key_in = key_rows > 0 ? 0.139 * key_rows + 0.05 : 0.02 }
if (!exists("axis_in")) { axis_in = 0.36 }
height_in = exists("height_wanted_in") ? height_wanted_in : \
            title_in + panel_rows * (panel_title_in + panel_in + axis_in) + key_in
# The font is of the family of the report's text.
if (!exists("svg_name")) { svg_name = 'figure' }
set terminal svg size 72 * width_in, 72 * height_in font 'CMU Sans Serif,8.2' linewidth 0.6 name svg_name
set output output
if (title_text ne '') {
    set label 901 title_text at screen 0.01, screen 1 - 0.1 / height_in left font 'CMU Sans Serif:Bold,8.4'
}

# The places of panels, row by row, in parts of the figure.
left_in = exists("left_wanted_in") ? left_wanted_in : 0.6
right_in = ends ? longest_line * end_letter_in + 0.32 : exists("right_wanted_in") ? right_wanted_in : \
           panel_columns > 1 ? 0.14 : 0.1
panel_column(panel) = (panel - 1) % panel_columns
panel_row(panel) = (panel - 1) / panel_columns
# Only the first panel of a row has labels at its y axis.
panel_left(panel) = (panel_column(panel) * (width_in - left_in - 0.02) / panel_columns + left_in) / width_in
panel_right(panel) = panel_left(panel) + ((width_in - left_in - 0.02) / panel_columns - right_in) / width_in
row_in = panel_title_in + panel_in + axis_in
panel_top(panel) = 1 - (title_in + panel_row(panel) * row_in + panel_title_in) / height_in
panel_bottom(panel) = panel_top(panel) - panel_in / height_in
panel_width_in = (width_in - left_in - 0.02) / panel_columns - right_in
# The label of a y axis stands at the left edge: `set label 902 TEXT @beside`.
beside = sprintf("at screen %f, graph 0.5 center rotate by 90", 0.075 / width_in)
set border 3 linecolor rgb '#444444'
set tics nomirror out scale 0.6
set xtics offset 0, 0.4
set grid ytics linecolor rgb '#dddddd' linewidth 0.5
set style fill transparent solid 0.18 noborder
unset key
