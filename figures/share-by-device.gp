# Per cent of the measured peak, a panel for each device.
# SPDX-License-Identifier: MIT
left_label = '% of the FMA peak'
panel_title_in = 0.14
load 'figures/by_panel.gp'
