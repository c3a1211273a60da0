# Speed-up over the same variant on one thread.
# SPDX-License-Identifier: MIT
left_label = 'speed-up over one thread'
right_label = ''
reference = 1
load 'figures/by_n.gp'
