# Per cent of the measured peak.
# SPDX-License-Identifier: MIT
left_label = '% of the measured FMA peak'
right_label = ''
reference = 100
load 'figures/by_n.gp'
