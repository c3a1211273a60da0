# The ratio of the times of the vendors' products on CPU and GPU.
# SPDX-License-Identifier: MIT
left_label = 'time CPU / GPU'
reference = 1
load 'figures/by_n.gp'
