#!/bin/bash
# Runs the long forms of the tests, and writes what each package did, and how long it took, to bench/NIGHTLY.md.
set -uo pipefail
cd "$(dirname "$0")/.."
export UNKNOT_NIGHTLY=1
out=bench/NIGHTLY.md
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0
rows=""

# run WHAT ARGUMENTS… runs go test with the arguments; WHAT is what that shows, for the table.
run() {
	local what=$1 from=$SECONDS verdict=passed
	shift
	echo "nightly: go test $*"
	if ! go test -count=1 -timeout 150m "$@" >"$log" 2>&1; then
		verdict="**failed**"
		failed=1
	fi
	cat "$log"
	rows+="| $what | \`go test $*\` | $verdict | $((SECONDS - from)) s |"$'\n'
	table
}

# table writes what has been run so far.
table() {
	{
		echo "# The long tests"
		echo
		echo "Written by \`make nightly\`; do not edit."
		echo
		echo "- Date: $(date -u '+%Y-%m-%d %H:%M') UTC; $(nproc) cores; $(go version | cut -d' ' -f3)"
		echo "- State: $(git describe --tags --always --dirty)"
		echo
		echo "| what | command | result | time |"
		echo "|---|---|---|---|"
		printf '%s' "$rows"
	} >"$out"
}

run "wait states and matching against all interleavings of random programs" ./internal/match ./internal/waitstate ./internal/agent
run "the reference itself, and its 100,000 random programs" ./internal/oracle/...
run "screening and exact prediction against the reference, 100,000 random programs each" ./internal/predict/...
run "logs of 100 million calls, ring and stencil, at most 12 bytes a call" ./internal/trace/...
run "random datatypes against both MPI libraries" ./internal/usage/typemap
run "200 random programs as C on both MPIs: predicted, forced, confirmed; the examples without unknot" ./internal/whole -plain
for fuzz in syntax:FuzzLexer syntax:FuzzParser types:FuzzCheck; do
	run "whatever is read does not stop the UPC front end, ten minutes" -run '^$' -fuzz "^${fuzz#*:}\$" -fuzztime 10m "./internal/upc/${fuzz%:*}"
done
exit "$failed"
