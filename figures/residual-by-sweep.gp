# Residual over sweeps, both logarithmic: methods differ by powers of ten.
# SPDX-License-Identifier: MIT
load 'figures/style.gp'

set multiplot
panel = 1
load 'figures/panel.gp'
set logscale xy 10
set format x decades(x_most)
set format y '10^{%T}'
set xlabel sprintf(say('sweep, from 1 (n = %d)'), size) offset 0, 1.2
set label 902 say('residual') @beside
set xrange [1:x_most * 1.3]
set yrange [y_least / 3:y_most * 3]
if (exists("tolerance")) {
    set arrow 99 from graph 0, first tolerance to graph 1, first tolerance nohead dashtype 2 linewidth 0.8 \
        linecolor rgb '#444444'
}
plot for [i = 1:curves_count] $curves index i - 1 using 1:2 with lines linecolor rgb curve_colour(i) \
    linewidth curve_width(i) dashtype curve_dashes(i) notitle
key_lines = 0
load 'figures/key.gp'
unset multiplot
