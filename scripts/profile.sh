#!/bin/bash
# Writes cmd/unknot/default.pgo: where the processor time goes when an agent follows records, a trace is written and a log is screened.
# The compiler goes by it (go.dev/doc/pgo).
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# measure NAME PACKAGE BENCHMARKS TIME
measure() {
	go test -run '^$' -bench "$3" -benchtime "$4" -cpuprofile "$work/$1.prof" -o "$work/$1.test" "$2"
}

measure records ./internal/agent '^(BenchmarkRecords|BenchmarkRecording)$' 2s
measure trace ./internal/trace/file '^(BenchmarkWrite|BenchmarkRead)$' 2s
measure screen ./internal/predict/screen '^BenchmarkScreen$' 1s
go tool pprof -proto -output "$work/all.pgo" "$work"/*.prof
mv "$work/all.pgo" cmd/unknot/default.pgo
