# Writes `panel_title` above a panel. gnuplot would set its lines further apart than the letters need.
# SPDX-License-Identifier: MIT
unset title
left_over = panel_title
panel_title_lines = 1
do for [j = 1:strlen(panel_title)] { if (panel_title[j:j] eq "\n") { panel_title_lines = panel_title_lines + 1 } }
do for [j = 1:3] {
    unset label 910 + j
    cut = strstrt(left_over, "\n")
    if (j <= panel_title_lines) {
        set label 910 + j cut ? left_over[1:cut - 1] : left_over at graph 0.5, \
            graph 1 + (0.085 + 0.118 * (panel_title_lines - j)) / panel_in center
    }
    left_over = left_over[cut + 1:*]
}
