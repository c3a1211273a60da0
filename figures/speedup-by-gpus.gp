# Speed-up of several GPUs over the best library on one, a panel for each problem.
# SPDX-License-Identifier: MIT
left_label = 'speed-up'
reference = 1
load 'figures/by_panel.gp'
