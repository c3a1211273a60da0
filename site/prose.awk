# Expands the texts of findings, notes and captions to HTML, as report/facts.tex does for LaTeX. Files that come first
# hold definitions: the words of a language (report/findings), the texts (`report/kinds texts`), the facts of findings
# (facts-here.tex), and, with rows=1, the facts of one caption. With document=1 each line of a file is expanded and
# printed. A command that is not known is an error.
# SPDX-License-Identifier: MIT
function complain(what) {
    printf "site/prose.awk: %s\n", what >"/dev/stderr"
    failed = 1
}
function html(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}

# Takes the group in braces that `rest` begins with, or its first character.
function group(    i, depth, character, found) {
    sub(/^ +/, "", rest)
    if (substr(rest, 1, 1) != "{") {
        found = substr(rest, 1, 1)
        rest = substr(rest, 2)
        return found
    }
    for (i = 1; i <= length(rest); i++) {
        character = substr(rest, i, 1)
        if (character == "\\") { i++; continue }
        depth += (character == "{") - (character == "}")
        if (depth == 0) break
    }
    found = substr(rest, 2, i - 2)
    rest = substr(rest, i + 1)
    return found
}
# Takes a part in brackets; without one, nothing.
function option(    found) {
    if (substr(rest, 1, 1) != "[") return ""
    found = substr(rest, 2, index(rest, "]") - 2)
    rest = substr(rest, length(found) + 3)
    return found
}

# The facts of a row become the facts of the texts that follow. Returns those of before, as a row.
function set_facts(row,    before, name, saved) {
    before = facts
    facts = row
    delete word
    delete text
    saved = rest
    rest = row
    while (match(rest, /^\\setfact/)) {
        rest = substr(rest, RLENGTH + 1)
        name = group()
        word[name] = group()
        text[name] = group()
    }
    rest = saved
    return before
}
function with_facts(row, what,    before, result) {
    before = set_facts(row)
    stands_behind = 0
    result = expand(what)
    set_facts(before)
    return result
}

function fact(name) {
    if (!(name in text)) { complain("the fact " name " has no value"); return "–" }
    return expand(text[name])
}
# The form of a Russian word beside a number: 1, 2 or 3.
function form(number) {
    if (number ~ /\./) return 2
    if (number !~ /^[0-9]+$/ || (number % 100 > 10 && number % 100 < 20)) return 3
    return number % 10 == 1 ? 1 : number % 10 >= 2 && number % 10 <= 4 ? 2 : 3
}
function ratio(prefix) {
    return fact(prefix "ratio") \
        ((prefix "low") in text ? " [" fact(prefix "low") expand("\\betweennumbers") fact(prefix "high") "]" : "") \
        ((prefix "flagged") in text ? fact(prefix "flagged") : "")
}
function judged(prefix,    verdict) {
    verdict = word[prefix "verdict"]
    if (verdict == "same") return expand(stands_behind ? "\\equalratio" : "\\judgedsame")
    if (verdict == "undecided") return expand(stands_behind ? "\\undecidedratio" : "\\judgedundecided")
    return verdict == "single" ? expand("\\judgedsingle") : ""
}
function speed() {
    stands_behind = 1
    if (word["verdict"] == "same") return expand("\\isequal")
    if (word["verdict"] == "undecided") return expand("\\isundecided")
    return expand(word["slower"] == "1" ? "\\isslower" : "\\isfaster")
}
function host(    name, local) {
    name = word["host"]
    local = host_facts[name] ~ /\\setfact\{local\}\{1\}/
    return with_facts(host_facts[name], local ? "\\thismachine" : "\\othermachine")
}
function each(what,    i, result) {
    for (i = 1; i <= rows_found && i <= 24; i++) result = result with_facts(row_found[i], what)
    return result (rows_found > 24 ? " …" : "")
}
function any(name,    i) {
    for (i = 1; i <= rows_found; i++) if (index(row_found[i], "\\setfact{" name "}")) return 1
    return 0
}
function further(hosts,    what) {
    if (hosts <= 4) return ""
    what = macro["furtherhosts"]
    sub(/#1/, hosts - 4, what)
    return expand(what)
}
function chosen(is, what) { return is ? expand(what) : "" }

# The HTML of a command, whose arguments it takes from `rest`.
function command(name,    a, b, c) {
    if (name in symbol) return symbol[name]
    if (name in macro) return expand(macro[name])
    if (name in wraps) return "<" wraps[name] ">" expand(group()) "</" wraps[name] ">"
    if (name == "fact") return fact(group())
    if (name == "code") return "<code>" fact(group()) "</code>"
    if (name == "iffact") { a = group(); return chosen(a in text, group()) }
    if (name == "nofact") { a = group(); return chosen(!(a in text), group()) }
    if (name == "when") { a = group(); b = group(); return chosen((a in word) && word[a] == b, group()) }
    if (name == "whennot") { a = group(); b = group(); return chosen(!((a in word) && word[a] == b), group()) }
    if (name == "plural") { a = group(); b = group(); c = group(); return expand(word[a] == "1" ? b : c) }
    if (name == "forms") {
        a = form(word[group()])
        b = group()
        c = group()
        b = a == 1 ? b : a == 2 ? c : ""
        c = group()
        return expand(a == 3 ? c : b)
    }
    if (name == "range") {
        a = group()
        b = group()
        return fact(a) (text[a] == text[b] ? "" : "–" fact(b))
    }
    if (name == "ratio") return ratio(option())
    if (name == "judged") return judged(option())
    if (name == "speed") return speed()
    if (name == "host") return host()
    if (name == "hostbrief") {
        group()
        a = word["host"]
        return with_facts(host_facts[a],
            host_facts[a] ~ /\\setfact\{local\}\{1\}/ ? "\\thismachine" : html(a))
    }
    if (name == "each") return each(group())
    if (name == "anyfact") { a = group(); return chosen(any(a), group()) }
    if (name == "mbox" || name == "mathrm") return expand(group())
    if (name == "sqrt") return "√" expand(group())
    if (name == "described") { a = group(); b = group(); return expand(texts[a, b]) }
    if (name == "says") { a = group(); b = group(); return with_facts(facts_of[a, b], texts["says", a]) " " }
    if (name == "hostsays") {
        a = group()
        b = group()
        if (match(facts_of[a, b], /\\setfact\{host\}\{[^}]*\}/)) {
            c = substr(facts_of[a, b], RSTART, RLENGTH)
            if (c != last_host) hosts_told++
            last_host = c
        }
        if (hosts_told > 4) return ""
        return with_facts(facts_of[a, b], "\\emph{\\host.} \\described{says}{" a "}") " "
    }
    if (name == "finding") {
        a = group()
        last_host = ""
        hosts_told = 0
        b = expand(group())
        return "<li><strong>" expand("\\described{asks}{" a "}") "?</strong> " b further(hosts_told) "</li>"
    }
    if (name == "studyfindings") {
        a = group()
        return study_says[a] (hosts_of[a] > 4 ? "<p>" further(hosts_of[a]) "</p>" : "")
    }
    complain("the command \\" name " is not known")
    return ""
}

# Expands a text. In a formula ^ raises and _ lowers what follows.
function expand(what,    saved, result, found, in_formula) {
    saved = rest
    rest = what
    while (rest != "") {
        found = substr(rest, 1, 1)
        if (match(rest, /^[^\\{}$~`'^_-]+/)) {
            result = result html(substr(rest, 1, RLENGTH))
            rest = substr(rest, RLENGTH + 1)
        } else if (match(rest, /^\\[a-zA-Z]+/)) {
            found = substr(rest, 2, RLENGTH - 1)
            rest = substr(rest, RLENGTH + 1)
            sub(/^ +/, "", rest)
            result = result command(found)
        } else if (found == "\\") {
            found = substr(rest, 2, 1)
            rest = substr(rest, 3)
            result = result (found == "," ? "\302\240" : found == "|" ? "‖" : \
                             found == " " || found == "\\" ? " " : html(found))
        } else if (found == "$") {
            in_formula = !in_formula
            rest = substr(rest, 2)
        } else if (in_formula && (found == "^" || found == "_")) {
            rest = substr(rest, 2)
            found = found == "^" ? "sup" : "sub"
            result = result "<" found ">" expand(group()) "</" found ">"
        } else if (found == "{" || found == "}") {
            rest = substr(rest, 2)
        } else if (match(rest, /^---?/)) {
            result = result (RLENGTH == 3 ? "—" : "–")
            rest = substr(rest, RLENGTH + 1)
        } else {
            rest = substr(rest, 2)
            result = result (found == "~" ? "\302\240" : found == "-" && in_formula ? "−" : found == "'" ? "’" : found)
        }
    }
    rest = saved
    return result
}

BEGIN {
    count = split("omega ω times × dots … textbackslash \\ le ≤ ge ≥ cdot · quad   ", part, " ")
    for (i = 1; i < count; i += 2) symbol[part[i]] = part[i + 1]
    symbol["modelled"] = symbol["protect"] = symbol["par"] = symbol["textasciitilde"] = ""
    symbol["textasciitilde"] = "~"
    symbol["textasciicircum"] = "^"
    wraps["emph"] = "em"
    wraps["textbf"] = "strong"
    wraps["texttt"] = wraps["name"] = "code"
}
document { print expand($0); next }
{ rest = $0 }
match(rest, /^\\newcommand\{\\[a-zA-Z]+\}(\[1\])?/) {
    name = substr(rest, 14)
    sub(/\}.*/, "", name)
    rest = substr(rest, RLENGTH + 1)
    macro[name] = group()
    next
}
/^\\describe\{/ { rest = substr(rest, 10); kind = group(); name = group(); texts[kind, name] = group(); next }
/^\\hostfacts\{/ { rest = substr(rest, 11); name = group(); host_facts[name] = group(); next }
/^\\factrow\{/ {
    rest = substr(rest, 9)
    name = group()
    number = group()
    if (rows) row_found[++rows_found] = group()
    else facts_of[name, number] = group()
    next
}
/^\\studysays\{/ {
    rest = substr(rest, 11)
    study = group()
    name = group()
    what = group()
    # Of the hosts of a class, the first ones have sentences.
    if (++hosts_of[study] > 4) next
    count = split(what, says, /\\says\{/)
    if (count < 4) {
        study_says[study] = study_says[study] "<p>" with_facts(host_facts[name], "\\emph{\\host.} " what) "</p>"
        next
    }
    # Three statements or more are a list, as in the report.
    list = "<p>" with_facts(host_facts[name], "\\emph{\\host.}") "</p><ul>"
    for (i = 2; i <= count; i++) list = list "<li>" with_facts(host_facts[name], "\\says{" says[i]) "</li>"
    study_says[study] = study_says[study] list "</ul>"
}
END { exit failed }
