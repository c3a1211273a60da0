# Time over the chunk of rows.
# SPDX-License-Identifier: MIT
left_label = 'time, s'
right_label = ''
x_label = 'chunk'
load 'figures/by_n.gp'
