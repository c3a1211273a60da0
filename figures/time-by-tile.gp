# Time over tile.
# SPDX-License-Identifier: MIT
left_label = 'time with copies'
x_label = 'tile'
y_time = 1
load 'figures/by_tile.gp'
