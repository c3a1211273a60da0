# The speed of the best own variant over that of the best library, over n.
# SPDX-License-Identifier: MIT
left_label = 'speed-up'
reference = 1
load 'figures/by_n.gp'
