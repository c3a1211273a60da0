# GFLOP/s of the source's variants A, B, B*, and per cent of the measured peak.
# SPDX-License-Identifier: MIT
left_label = 'GFLOP/s'
right_label = '% of the measured FMA peak'
load 'figures/by_n.gp'
