# Writes `panel_title`, of three lines at most, above a panel. SPDX-License-Identifier: MIT
unset title
panel_title_lines = 1 + (after_line(panel_title) ne '') + (after_line(after_line(panel_title)) ne '')
do for [j = 1:3] {
    unset label 910 + j
    if (j <= panel_title_lines) {
        set label 910 + j line_of(panel_title, j) at graph 0.5, \
            graph 1 + (0.085 + 0.118 * (panel_title_lines - j)) / panel_in center
    }
}
