# Speed of other loads over that of guarded loads, a panel for each device.
# SPDX-License-Identifier: MIT
left_label = 'speed-up'
reference = 1
panel_title_in = 0.14
load 'figures/by_panel.gp'
