# Time over tile.
# SPDX-License-Identifier: MIT
left_label = 'time with copies, s'
x_label = 'tile'
load 'figures/by_tile.gp'
