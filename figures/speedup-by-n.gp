# Speed-up over the study's baseline.
# SPDX-License-Identifier: MIT
load data
left_label = 'speed-up'
reference = 1
load 'figures/by_n.gp'
