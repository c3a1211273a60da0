# The time of the library on the CPU over that on the GPU, and the sizes at which the GPU overtakes the CPU.
# SPDX-License-Identifier: MIT
load data
left_label = 'time CPU / GPU'
reference = 1
# Each interval has a line of its own below the curves, in the colour of its curve.
room_below = 12
own_tint(style) = word('#0072b2 #d55e00 #009e73 #cc79a7 #e69f00', style % 5 + 1)
do for [i = 1:crossings_count] {
    at_line = 0.07 * i - 0.02
    tint = own_tint(crossings_style[i])
    set arrow 300 + i from first crossings_low[i], graph at_line to first crossings_high[i], graph at_line heads \
        size graph 0.015, 90 front linewidth 1.5 linecolor rgb tint
    set arrow 320 + i from first crossings_at[i], first 1 to first crossings_at[i], graph at_line nohead front \
        dashtype 3 linecolor rgb '#222222'
}
load 'figures/by_n.gp'
