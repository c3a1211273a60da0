# Time over n.
# SPDX-License-Identifier: MIT
left_label = 'time'
y_time = 1
load 'figures/by_n.gp'
