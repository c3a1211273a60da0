# Speed over the size of a packed block, relative to the size that the kernel chooses.
# SPDX-License-Identifier: MIT
left_label = 'speed-up'
x_label = 'elements'
reference = 1
load 'figures/by_panel.gp'
