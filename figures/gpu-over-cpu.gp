# The time of the library on the CPU over that on the GPU, and the sizes at which the GPU overtakes the CPU.
# SPDX-License-Identifier: MIT
load data
left_label = 'time CPU / GPU'
reference = 1
if (crossings_count > 0) {
    do for [i = 1:crossings_count] {
        set arrow 300 + i from first crossings_low[i], first 1 to first crossings_high[i], first 1 nohead front \
            linewidth 3 linecolor rgb '#777777'
        set arrow 320 + i from first crossings_at[i], first 1 to first crossings_at[i], graph 0 nohead front \
            dashtype 3 linecolor rgb '#222222'
    }
}
load 'figures/by_n.gp'
