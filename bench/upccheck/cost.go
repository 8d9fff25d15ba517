package main

import (
	"errors"
	"fmt"
	"strconv"

	"unknot/bench/quiet"
)

// cost is what one upc_all_broadcast costs a thread, in microseconds: the check alone, and a call without checks.
type cost struct {
	threads     int
	check, call float64
}

// operations measures one operation, and writes the table.
func (b *bench) operations() error {
	watch := quiet.Start()
	all, err := b.costs()
	if err != nil {
		return err
	}
	return replace("## One collective operation", watch, costTable(all))
}

// costs measures programs/broadcast.upc. With programs/nothing.c in it, the function of the library does nothing: what
// is left is the check.
func (b *bench) costs() ([]cost, error) {
	const source, nothing = "bench/upccheck/programs/broadcast.upc", "bench/upccheck/programs/nothing.c"
	err := errors.Join(
		b.compile("upc-check", "check", source, nothing, "-Wl,--allow-multiple-definition"),
		b.compile("upcc", "loop", source, nothing, "-Wl,--allow-multiple-definition"),
		b.compile("upcc", "call", source))
	if err != nil {
		return nil, err
	}
	checks, loops := make([][]float64, len(b.many)), make([][]float64, len(b.many))
	for range launches {
		for i, n := range b.many {
			check, err := b.micros("check", n, "alone")
			if err != nil {
				return nil, err
			}
			loop, err := b.micros("loop", n, "alone")
			if err != nil {
				return nil, err
			}
			checks[i], loops[i] = append(checks[i], check), append(loops[i], loop)
		}
	}
	var all []cost
	for i, n := range b.many {
		call, err := b.micros("call", n, "together")
		if err != nil {
			return nil, err
		}
		c := cost{n, quiet.Median(checks[i]) - quiet.Median(loops[i]), call}
		fmt.Printf("upc_all_broadcast with %d threads: check %.3f µs, call %.1f µs\n", n, c.check, c.call)
		all = append(all, c)
	}
	return all, nil
}

// launches are those of each program without work: where its memory lies makes a difference of a tenth of a
// microsecond.
const launches = 9

// micros launches broadcast.upc once.
func (b *bench) micros(program string, threads int, how string) (t float64, err error) {
	out, err := b.launch(program, threads, how, strconv.Itoa(b.rounds))
	if err != nil {
		return 0, err
	}
	if _, err := fmt.Sscanf(string(out), "microseconds=%g", &t); err != nil {
		return 0, fmt.Errorf("%s with %d threads: %w\n%s", program, threads, err, out)
	}
	return t, nil
}
