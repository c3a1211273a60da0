# Prints C, or a language of kernels that resembles C, as HTML with colours. An include of a file in `files` becomes a
# link. Variables: folder, of the file below kernels/; files, all files that have a page.
# SPDX-License-Identifier: MIT
BEGIN {
    count = split("if else for while do switch case default break continue return sizeof goto static const struct " \
                  "enum union typedef inline extern volatile restrict void int char long short unsigned signed " \
                  "float double bool size_t int32_t int64_t uint32_t uint64_t real auto template typename constexpr " \
                  "__global__ __device__ __shared__ __host__ __launch_bounds__ __restrict__ __syncthreads " \
                  "__kernel __global __local KERNEL REAL REAL4 barrier", word, " ")
    for (i = 1; i <= count; i++) keyword[word[i]] = 1
    # Words of OpenCL, which name other things in C.
    if (ARGV[1] ~ /\.cl$/) {
        count = split("kernel global local constant private __kernel __global __local __constant __private", word, " ")
        for (i = 1; i <= count; i++) keyword[word[i]] = 1
    }
    count = split(files, word, " ")
    for (i = 1; i <= count; i++) has_page[word[i]] = 1
}

function html(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    gsub(/"/, "\\&quot;", text)
    return text
}
function put(class, text) { printf "%s", class ? "<span class=\"" class "\">" html(text) "</span>" : html(text) }

# Prints the first `length` characters of `rest` and drops them.
function take(class, length_of) {
    put(class, substr(rest, 1, length_of))
    rest = substr(rest, length_of + 1)
}

function include_line(    name, file) {
    if (!match(rest, /"[^"]+"/)) return 0
    name = substr(rest, RSTART + 1, RLENGTH - 2)
    file = name ~ /^common\// ? "kernels/" name : "kernels/" folder "/" name
    if (!(file in has_page)) return 0
    sub(/^kernels\//, "", file)
    gsub(/\//, "-", file)
    put("directive", substr(rest, 1, RSTART - 1))
    printf "<a href=\"kernel-%s.html\">%s</a>", html(file), html("\"" name "\"")
    rest = substr(rest, RSTART + RLENGTH)
    return 1
}

{
    rest = $0
    printf "<span class=\"line\" id=\"L%d\">", NR
    if (!comment && rest ~ /^ *# *include "/) include_line()
    while (rest != "") {
        if (comment) {
            end = index(rest, "*/")
            take("comment", end ? end + 1 : length(rest))
            comment = !end
        } else if (substr(rest, 1, 2) == "/*") {
            end = index(substr(rest, 3), "*/")
            take("comment", end ? end + 3 : length(rest))
            comment = !end
        } else if (substr(rest, 1, 2) == "//") {
            take("comment", length(rest))
        } else if (match(rest, /^"([^"\\]|\\.)*"/) || match(rest, /^'([^'\\]|\\.)*'/)) {
            take("string", RLENGTH)
        } else if (match(rest, /^ *# *[a-z]+/)) {
            take("directive", RLENGTH)
        } else if (match(rest, /^[A-Za-z_][A-Za-z_0-9]*/)) {
            take(substr(rest, 1, RLENGTH) in keyword ? "keyword" : "", RLENGTH)
        } else if (match(rest, /^[0-9][0-9A-Za-z.]*/)) {
            take("constant", RLENGTH)
        } else {
            match(rest, /^[^A-Za-z_0-9"'\/]+/)
            take("", RLENGTH > 0 ? RLENGTH : 1)
        }
    }
    print "</span>"
}
