# Sets the x axis of n. Its ticks are the measured sizes; a tick whose label would touch the one before has no label.
# A script sets these before it loads this file: sizes; label_share, the part of the axis that a label needs;
# margin_share, the room at both ends.
# SPDX-License-Identifier: MIT
least_x = word(sizes, 1) + 0.0
most_x = word(sizes, words(sizes)) + 0.0
set logscale x 2
margin_x = most_x > least_x ? (most_x / least_x) ** margin_share : 1.5
set xrange [least_x / margin_x:most_x * margin_x]
step = (most_x / least_x) ** label_share
labelled = 0.0
set xtics ()
do for [i = 1:words(sizes)] {
    x = word(sizes, i) + 0.0
    if (i == words(sizes) || (x >= labelled * step && x * step <= most_x)) {
        set xtics add (word(sizes, i) x)
        labelled = x
    } else {
        set xtics add ('' x 1)
    }
}
