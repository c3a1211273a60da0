# Reads results.csv, archive.csv and the journal of a study, and what was known before. Tells what was lost, and where
# results.csv shows a result that is not the best. tests/orders.sh calls it:
#   awk -f tests/kept.awk -v machine=HASH -v clock=real|simulated -v fresh=0|1 BEFORE RESULTS ARCHIVE JOURNAL >AFTER
# `fresh` says that results.csv was just written, on this machine and with this clock. BEFORE and AFTER have one result
# a line. Complaints go to standard error.
# SPDX-License-Identifier: MIT

function complain(text) {
    print text > "/dev/stderr"
    bad = 1
}
# The fields of the current line have the names in at[].
function take(at, where,    name, key, id, clock_here, rounds) {
    for (name in at)
        value[name] = $(at[name])
    clock_here = value["flags"] ~ /simulated/ ? "simulated" : "real"
    key = value["cell"] "|" value["machine_hash"] "|" clock_here
    id = key "|" value["source_hash"] "|" value["library_hash"] "|" value["settings_hash"] "|" value["status"] "|" \
        value["flags"] "|" value["median_s"]
    rounds = value["measure"]
    sub(/.*rounds=/, "", rounds)
    rounds = int(rounds)
    complete = value["status"] != "skipped" && value["flags"] !~ /partial/
    if (where == "results") {
        if (value["cell"] in shown)
            complain("results.csv has cell " value["cell"] " twice")
        shown[value["cell"]] = id
        shown_key[value["cell"]] = key
        shown_source[value["cell"]] = value["source_hash"]
        shown_rounds[value["cell"]] = complete ? rounds : 0
        is_skipped[value["cell"]] = value["status"] == "skipped"
    }
    if (!complete)
        return
    here[id] = 1
    if (rounds > most[key, value["source_hash"]])
        most[key, value["source_hash"]] = rounds
    any[key] = 1
    if (value["source_hash"] != earlier)
        current[key] = 1
}

BEGIN {
    earlier = "0123456789abcdef" # the source that tests/orders.sh simulates
    for (i = 1; i < ARGC; i++)
        part[ARGV[i]] = i
}
FILENAME != last {
    last = FILENAME
    FS = part[FILENAME] == 2 || part[FILENAME] == 3 ? "," : "\t"
    $0 = $0
    delete at
    fields = 0
}
part[FILENAME] == 1 {
    before[$0] = 1
    next
}
part[FILENAME] == 4 {
    if ($2 == "layout") {
        count = split($4, name, ",")
        for (i = 1; i <= count; i++)
            at[name[i]] = i + 2
        delete layout
        next
    }
    take(at, "journal")
    next
}
FNR == 1 {
    for (i = 1; i <= NF; i++)
        at[$i] = i
    fields = NF
    next
}
{
    if (NF != fields)
        complain(FILENAME ":" FNR ": a torn row")
    take(at, part[FILENAME] == 2 ? "results" : "archive")
}
END {
    for (id in before)
        if (!(id in here))
            complain("lost: " id)
    for (id in here)
        print id
    for (cell in shown) {
        if (!fresh)
            break
        key = cell "|" machine "|" clock
        if (shown_key[cell] != key)
            complain("of another machine or clock: " shown[cell])
        else if (is_skipped[cell] && any[key])
            complain("a skipped row hides a result: " shown[cell])
        else if (shown_rounds[cell] == 0 && (most[key, shown_source[cell]] > 0 || current[key]))
            complain("a partial row hides a result that is not of an earlier source: " shown[cell])
        else if (shown_source[cell] == earlier && current[key])
            complain("of an earlier source: " shown[cell])
        else if (shown_rounds[cell] < most[key, shown_source[cell]])
            complain("a result of more rounds is not shown: " shown[cell])
    }
    exit bad
}
