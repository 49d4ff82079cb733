#!/bin/sh
# edited PROJECT FILE SCRIPT ARGUMENT...
# Runs derate in a copy of a fixture in which a sed script has edited one file.
set -u
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r "$FIXTURES/$1/." "$copy"
sed "$3" "$FIXTURES/$1/$2" > "$copy/$2"
if cmp -s "$FIXTURES/$1/$2" "$copy/$2"; then
    echo "the script changes nothing in $2"
    exit 99
fi
cd "$copy" || exit 99
shift 3
"$DERATE" "$@"
status=$?
[ ! -e reports ] || [ $status -ne 2 ] || echo "a report was begun"
exit $status
