# Per cent of the measured peak; a probe that a kernel has passed is told.
# SPDX-License-Identifier: MIT
load data
left_label = '% of the FMA peak'
reference = 100
set label 900 warning at screen 0.99, screen 0.99 right textcolor rgb '#b00000'
load 'figures/by_n.gp'
