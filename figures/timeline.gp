# A line for each thread of a run, or each thread block on a GPU, coloured by the kind of its work. Each variant has a
# panel, all on one scale of time.
# SPDX-License-Identifier: MIT
load data
if (!exists("title_text")) { title_text = '' }
if (exists("n_all")) { title_text = title_text . (title_text ne '' ? ', ' : '') . sprintf('n = %d', n_all) }
panel_columns = (panels_count > 2 ? 3 : 1)
panel_rows = (panels_count + panel_columns - 1) / panel_columns
panel_title_in = 0.14
panel_in = (threads_most > 32 ? 1.5 : (threads_most > 8 ? 0.035 : 0.1) * threads_most + 0.07)
right_wanted_in = (panel_columns > 1 ? 0.4 : 0.1) # each panel has the numbers of its threads
if (panels_count > 1) { wide = 1 }
axis_in = 0.18 # its numbers have their unit, and it has no label
load 'figures/style.gp'

# Kinds of work have the colours of Okabe and Ito, and differ in lightness too.
colour(style) = word('#56b4e9 #0072b2 #000000 #f0e442 #d55e00', style)
width(style) = 5
dashes(style, rank) = 1
open_mark(i) = -1
set multiplot
set style fill solid 1 noborder
set xrange [0:1.01 * x_most]
unset grid
# Many lines leave no gaps between them, and the critical path has the height of several.
half(threads) = (threads > 32 ? 0.5 : 0.4)
path(threads) = (threads > 32 ? threads / 16.0 : 1)
low(line) = line - half(all)
high(line) = (line < all ? line + half(all) : all + path(all) - 0.6)
nice(x) = 10 ** floor(log10(x)) * (x < 2 * 10 ** floor(log10(x)) ? 2 : x < 5 * 10 ** floor(log10(x)) ? 5 : 10)
set xtics nice(panel_columns * x_most / 10) offset 0, 0.65
step(threads) = (threads > 64 ? 32 : threads > 8 ? 4 : 1)
do for [panel = 1:panels_count] {
    load 'figures/panel.gp'
    set label 902 (panel_column(panel) > 0 ? '' : say(threads_most > 32 ? 'thread block' : 'thread')) @beside
    all = panels_threads[panel]
    set yrange [all + path(all) - 0.5:-0.5]
    set ytics 0, step(all), all - 1 - (all > 8 ? all / 16.0 : 0)
    set ytics add (say('path') all + path(all) / 2.0 - 0.5)
    set title panels_title[panel] offset 0, -0.8
    set format x (panel > panels_count - panel_columns ? '%g ' . word(say('ns µs ms s ks'), 3) : '')
    plot for [i = 1:curves_count] $curves index i - 1 \
             using ($1 == panel ? ($2 + $3) / 2 : NaN):4:2:3:(low($4)):(high($4)) \
             with boxxyerror linecolor rgb curve_colour(i) notitle
    unset label 901
}
key_lines = 1
load 'figures/key.gp'
unset multiplot
