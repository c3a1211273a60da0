# The code of a C file, a token a line, so that two files that say the same have the same hash. Left out are comments,
# blanks, and the text of strings. An identifier becomes its number in the order of first use.
#   awk -f tokens.awk FILE
# SPDX-License-Identifier: MIT
BEGIN {
    words = "auto break case char const continue default do double else enum extern float for goto if inline int " \
        "long register restrict return short signed sizeof static struct switch typedef union unsigned void " \
        "volatile while define elif endif error ifdef ifndef include pragma undef omp parallel simd reduction schedule"
    for (i = split(words, word, " "); i > 0; i--)
        kept[word[i]] = 1
}

function name_of(identifier) {
    if (identifier in kept)
        return identifier
    if (!(identifier in number))
        number[identifier] = ++count
    return "i" number[identifier]
}

{
    line = $0
    while (line != "") {
        if (in_comment) {
            end = index(line, "*/")
            in_comment = !end
            line = end ? substr(line, end + 2) : ""
        } else if (match(line, /^[ \t\r\f]+/)) {
            line = substr(line, RLENGTH + 1)
        } else if (line ~ /^\/\//) {
            line = ""
        } else if (line ~ /^\/\*/) {
            in_comment = 1
            line = substr(line, 3)
        } else if (match(line, /^("([^"\\]|\\.)*"|'([^'\\]|\\.)*')/)) {
            print "text"
            line = substr(line, RLENGTH + 1)
        } else if (match(line, /^[A-Za-z_][A-Za-z0-9_]*/)) {
            print name_of(substr(line, 1, RLENGTH))
            line = substr(line, RLENGTH + 1)
        } else if (match(line, /^[0-9.][A-Za-z0-9_.]*/)) {
            print substr(line, 1, RLENGTH)
            line = substr(line, RLENGTH + 1)
        } else {
            print substr(line, 1, 1)
            line = substr(line, 2)
        }
    }
}
