# The ratio of the times of the vendors' products on CPU and GPU.
# SPDX-License-Identifier: MIT
left_label = 'time on the CPU / on the GPU'
reference = 1
load 'figures/by_n.gp'
