# Time to solution over n, a panel for each place. SPDX-License-Identifier: MIT
left_label = 'time'
panel_title_in = 0.14
y_time = 1
load 'figures/by_panel.gp'
