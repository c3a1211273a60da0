# Time over n.
# SPDX-License-Identifier: MIT
left_label = 'time'
y_format = '%.0s %cs'
load 'figures/by_n.gp'
