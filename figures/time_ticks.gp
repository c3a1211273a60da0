# Labels the y axis with times. A script sets low_y, high_y and log_y before it loads this file. With y_labelled = 0 the
# ticks have no labels.
# SPDX-License-Identifier: MIT
if (!exists("y_labelled")) { y_labelled = 1 }
set ytics ()
if (log_y) {
    decades = log10(high_y / low_y)
    every = decades > 5 && panel_in < 1 ? 2 : 1
    do for [power = -9:5] {
        do for [digit = 1:9] {
            t = digit * 10.0 ** power
            is_labelled = digit == 1 && power % every == 0 || (decades < 1.2 && (digit == 2 || digit == 5))
            label = is_labelled && y_labelled ? time_label(t) : ''
            if (t >= low_y && t <= high_y) { set ytics add (label t is_labelled ? 0 : 1) }
        }
    }
} else {
    power = 10.0 ** floor(log10(high_y / 5))
    step = high_y / 5 / power
    step = power * (step < 1.5 ? 1 : step < 3.5 ? 2 : step < 7.5 ? 5 : 10)
    do for [i = 0:int(high_y / step)] { set ytics add ((y_labelled ? time_label(i * step) : '') i * step) }
}
