#!/bin/bash
# Runs the long forms of the tests, and writes what each package did, how long it took and of which state to bench/NIGHTLY.md.
# With a word, as in scripts/nightly.sh prediction, only the steps with that word in them are run; the rows of others stay.
set -uo pipefail
cd "$(dirname "$0")/.."
export UNKNOT_NIGHTLY=1 UNKNOT_BUILT=$PWD/bin/unknot
only=${1-}
out=bench/NIGHTLY.md
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0
rows=""
[ -x "$UNKNOT_BUILT" ] || make build || exit 1 # after `make nightly` it is there
# The tables themselves may have changed.
state=$(git describe --tags --always)$(git diff --quiet HEAD -- . ':!bench/NIGHTLY.md' ':!bench/MATRIX.md' || echo -dirty)

# run WHAT ARGUMENTS… runs go test with the arguments; WHAT is what that shows, for the table.
run() {
	local what=$1
	shift
	CGO_ENABLED=1 step "$what" "go test $*" go test -count=1 -timeout 150m "$@"
}

# step WHAT CALLED COMMAND… runs a command; CALLED is what the table calls it.
step() {
	local what=$1 called=$2 from=$SECONDS verdict=passed row
	shift 2
	if [[ $what != *"$only"* ]]; then
		row=$(grep -F "| $what | " "$out" 2>/dev/null)
		[ -z "$row" ] || rows+="$row"$'\n'
		return
	fi
	echo "nightly: $called"
	if ! "$@" >"$log" 2>&1; then
		verdict="**failed**"
		failed=1
	fi
	cat "$log"
	rows+="| $what | \`$called\` | $verdict | $((SECONDS - from)) s | $state, $(date -u '+%Y-%m-%d %H:%M') |"$'\n'
	[ -n "$only" ] || table
}

# table writes what has been run so far.
table() {
	{
		echo "# The long tests"
		echo
		echo "Written by \`make nightly\`; do not edit. $(nproc) cores, $(go version | cut -d' ' -f3); the last column is the state that was tested, and when."
		echo
		echo "| what | command | result | time | state |"
		echo "|---|---|---|---|---|"
		printf '%s' "$rows"
	} >"$out"
}

run "wait states and matching against all interleavings of random programs" ./internal/match ./internal/waitstate ./internal/detect
run "the reference itself, and its 100,000 random programs" ./internal/testkit/oracle/...
run "random loops, judged the same whether calls that repeat are left out or followed: 100,000" ./internal/testkit/loops
run "screening and exact prediction against the reference, 100,000 random programs each" ./internal/predict/...
run "logs of 100 million calls, ring and stencil, at most 12 bytes a call" ./internal/trace/...
run "random datatypes against both MPI libraries" ./internal/datatype
run "data races of random runs against the oracle: 100,000" ./internal/race
run "200 random programs as C on both MPIs: predicted, forced, confirmed; the examples without unknot" -skip Branch ./internal/testkit/whole -plain
run "fresh tapes of the programs of checks against those that are kept" -run FreshTapes ./internal/check/...
run "20,000 random programs with control flow, explored in memory" ./internal/explore/known
# Some 2,000 programs, in parts of a quarter of an hour or more each.
for first in $(seq 1 250 2001); do
	seeds=$first-$((first + 249))
	UNKNOT_SEED=$seeds run "random programs with control flow as C on both MPIs, explored: seeds $seeds" -run Branch -parallel 3 -timeout 0 ./internal/testkit/whole
done
run "each program of the checks on both MPIs" ./internal/check/...
run "200 jobs that get signals, at unknot, its agent, the launcher, ranks and two of them, on both MPIs" -timeout 0 ./internal/testkit/chaos
run "faults that people reported, on both MPIs, against the grades in docs/reported.md" ./internal/testkit/reported
run "a loop that hangs behind up to a billion calls: the calls, the iteration, memory" -run TheIteration -timeout 0 ./internal/testkit/whole
run "random programs with loads and stores of window memory against the oracle, on both MPIs: 200" -timeout 0 -v ./internal/testkit/whole/windows
run "all pages of the report in a browser, held to axe-core in light and dark colours" -run Browser ./internal/report
run "the probe on both MPIs" ./internal/probe
run "jobs over hosts: all examples, programs of checks, 200 random programs, and 200 jobs in which something is killed, cut, stopped or delayed" -timeout 0 -v ./internal/testkit/hosted
run "the frames of links, fuzzed for 10 minutes" -run '^$' -fuzz FuzzFrame -fuzztime 10m -fuzzminimizetime 10x ./internal/link
packages="the packages: one commit gives the same bytes; installed in a fresh Debian, as RPM, as a module, by recipes, in a container"
[[ $packages != *"$only"* ]] || scripts/probes.sh bin/unknot
run "$packages" -timeout 0 ./packaging
run "OpenSHMEM programs with each number of PEs, all that deadlock corrected too" ./internal/shmem
run "each script of the command, without the race detector" ./cmd/unknot
run "each script of the command, with the race detector" -race -timeout 0 ./cmd/unknot
run "the protocol of upc-check in all orders, the large programs too" ./internal/upc/check/model
run "facts of UPC with each number of THREADS, static and dynamic, on both MPIs, optimised; also instrumented, and in programs of upc-check" ./internal/upc
run "the lowered text of UPC with each number of THREADS, static and dynamic, on both MPIs" ./internal/upc/back/lower
run "the run-time of UPC programs, each case on both MPIs, without warnings" ./internal/upc/rt
run "the C programs of the UPC front end, with the sanitizers and warnings of gcc and clang" ./internal/upc/driver
run "wrong UPC programs with each number of threads, on both MPIs, on one node and several" ./internal/upc/suite
for fuzz in syntax:FuzzLexer syntax:FuzzParser types:FuzzCheck; do
	run "whatever is read does not stop the UPC front end, ten minutes of ${fuzz#*:}" -run '^$' -fuzz "^${fuzz#*:}\$" -fuzztime 10m "./internal/upc/front/${fuzz%:*}"
done
step "parts of the tests with eight MPI libraries of four Debian releases: bench/MATRIX.md" "go run ./bench/matrix" go run ./bench/matrix
table
exit "$failed"
