# Gives the panel with the number `panel` its place, which figures/style.gp computes. SPDX-License-Identifier: MIT
set lmargin at screen panel_left(panel)
set rmargin at screen panel_right(panel)
set tmargin at screen panel_top(panel)
set bmargin at screen panel_bottom(panel)
