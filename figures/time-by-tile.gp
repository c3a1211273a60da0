# Time over tile.
# SPDX-License-Identifier: MIT
left_label = 'time with copies'
x_label = 'tile'
y_format = '%.0s %cs'
load 'figures/by_tile.gp'
