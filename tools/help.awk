# `make help`, from the comments of the Makefile.
# SPDX-License-Identifier: MIT
/^#@ / { printf "\n%s\n", substr($0, 4); next }
/^[A-Z_]+ *\?=/ {
    name = $1
    comment = value = $0
    sub(/^[^#]*# */, "", comment)
    sub(/^[^=]*= */, "", value)
    sub(/ *#.*/, "", value)
    printf "  %-10s %s%s\n", name, comment, value ~ /^[^$]/ ? " [" value "]" : ""
}
/^[a-z-]+:.*## / {
    name = $1
    sub(/:.*/, "", name)
    comment = $0
    sub(/.*## /, "", comment)
    printf "  %-10s %s\n", name, comment
}
