# Per cent of the measured peak; a probe that a kernel has passed is told.
# SPDX-License-Identifier: MIT
load data
left_label = '% of the measured FMA peak'
right_label = ''
reference = 100
set label 900 warning at screen 0.97, screen 0.985 right font ',7' textcolor rgb '#b00000'
load 'figures/by_n.gp'
