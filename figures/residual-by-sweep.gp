# Residual over sweeps, both logarithmic: methods differ by powers of ten.
# SPDX-License-Identifier: MIT
load 'figures/style.gp'

set multiplot
set lmargin at screen 0.11
set rmargin at screen 0.97
set bmargin at screen bottom
set tmargin at screen top
set logscale xy 10
set format x '10^{%T}'
set format y '10^{%T}'
set xlabel sprintf('sweep, from 1 (n = %d)', size)
set ylabel 'residual' offset 0.5, 0
set xrange [1:x_most * 1.3]
set yrange [y_least / 3:y_most * 3]
if (exists("tolerance")) {
    set arrow 99 from graph 0, first tolerance to graph 1, first tolerance nohead dashtype 2 linewidth 0.8 \
        linecolor rgb '#444444'
}
plot for [i = 1:curves_count] $curves index i - 1 using 1:2 with lines linecolor rgb colour(curves_style[i]) \
    linewidth width(curves_style[i]) dashtype dashes(curves_style[i], curves_dash[i]) notitle
key_lines = 0
load 'figures/key.gp'
unset multiplot
