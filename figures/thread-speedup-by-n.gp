# Speed-up over the same variant on one thread.
# SPDX-License-Identifier: MIT
left_label = 'speed-up'
reference = 1
load 'figures/by_panel.gp'
