# The time of the library on the CPU over that on the GPU, and the sizes at which the GPU overtakes the CPU.
# SPDX-License-Identifier: MIT
load data
left_label = 'time CPU / GPU'
reference = 1
# The intervals of the crossings stand below the curves.
room_below = 12
load 'figures/by_n.gp'
