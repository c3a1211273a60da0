# Gives the panels of several machines one frame, since a reader compares them by eye. A script sets frame_names to the
# names of the variables that hold the ends of its axes, and loads this file before it sets its ranges. A name begins
# with low_ or high_. The figures of several machines are drawn twice: first with `frame_file`, where this file writes
# the ends, then with all_NAME, the outermost end of all machines, which replaces the own one.
# SPDX-License-Identifier: MIT
if (exists("frame_file")) {
    set print frame_file
    do for [name in frame_names] { print sprintf('%s %.9g', name, value(name)) }
    set print
}
do for [name in frame_names] {
    if (exists('all_' . name)) { eval name . ' = all_' . name }
}
