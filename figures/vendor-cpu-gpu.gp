# The vendors' products on CPU and GPU, and the ratio of their times.
# SPDX-License-Identifier: MIT
left_label = 'time, s'
right_label = 'time on the CPU / time on the GPU'
right_reference = 1
load 'figures/by_n.gp'
