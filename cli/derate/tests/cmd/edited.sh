#!/bin/sh
# edited PROJECT [FILE SCRIPT]... -- ARGUMENT...
# Runs derate in a copy of a fixture in which sed scripts have edited files. ONLY=PATTERN shows the lines that match it; WIDE=COLUMNS
# takes the place of the pages' width.
set -u
COLUMNS=${WIDE:-${COLUMNS:-120}}
export COLUMNS
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
project=$FIXTURES/$1
cp -r "$project/." "$copy"
shift
while [ "$1" != -- ]; do
    sed "$2" "$project/$1" > "$copy/$1"
    if cmp -s "$project/$1" "$copy/$1"; then
        echo "the script changes nothing in $1"
        exit 99
    fi
    shift 2
done
shift
cd "$copy" || exit 99
"$DERATE" "$@" > "$copy.out" 2>&1
status=$?
grep -E "${ONLY:-}" "$copy.out"
rm -f "$copy.out"
[ ! -e reports ] || [ $status -ne 2 ] || echo "a report was begun"
exit $status
