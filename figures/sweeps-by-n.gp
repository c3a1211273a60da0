# Sweeps over n.
# SPDX-License-Identifier: MIT
left_label = 'sweeps'
load 'figures/by_n.gp'
