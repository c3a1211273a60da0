# Time over n.
# SPDX-License-Identifier: MIT
left_label = 'time, s'
right_label = ''
load 'figures/by_n.gp'
