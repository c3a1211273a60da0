# Reads the walk-throughs of README.md, which are the sections whose titles start with "Add". Each block of code becomes
# one line, "kind <tab> file <tab> below <tab> block". In the block \n stands for the end of a line and \\ for a
# backslash; "-" stands for no text. The paragraph above a block tells the kind:
#   save   "as `FILE`:"
#   line   "line to `FILE`, below `TEXT`"
#   run    the block holds commands, whatever stands above
# SPDX-License-Identifier: MIT
/^## / {
    wanted = /^## Add /
}
!wanted {
    next
}
/^```/ && !inside {
    inside = 1
    language = substr($0, 4)
    block = ""
    next
}
/^```/ {
    inside = 0
    file = below = "-"
    if (language == "sh") {
        kind = "run"
    } else if (match(paragraph, /as `[^`]+`:/)) {
        kind = "save"
        file = substr(paragraph, RSTART + 4, RLENGTH - 6)
    } else if (match(paragraph, /line to `[^`]+`, below `[^`]+`/)) {
        kind = "line"
        split(substr(paragraph, RSTART, RLENGTH), parts, "`")
        file = parts[2]
        below = parts[4]
    } else {
        kind = "unclear"
    }
    print kind "\t" file "\t" below "\t" block
    paragraph = ""
    next
}
inside {
    line = $0
    gsub(/\\/, "&&", line)
    block = block line "\\n"
    next
}
/^$/ {
    ended = 1
    next
}
{
    paragraph = ended ? $0 : paragraph " " $0
    ended = 0
}
