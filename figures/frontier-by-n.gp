# The best own variant over n, in per cent of the best library.
# SPDX-License-Identifier: MIT
left_label = '% of the library'
reference = 100
load 'figures/by_n.gp'
