package main

import (
	"errors"
	"fmt"
	"strconv"
)

// cost is what one upc_all_broadcast costs a thread, in microseconds: the check alone, and a call without checks.
type cost struct {
	threads     int
	check, call float64
}

// costs measures programs/broadcast.upc. With programs/nothing.c in it, the function of the library does nothing: what is left is the check.
func (b *bench) costs() ([]cost, error) {
	const source, nothing = "bench/upccheck/programs/broadcast.upc", "bench/upccheck/programs/nothing.c"
	err := errors.Join(
		b.compile("upc-check", "check", source, nothing, "-Wl,--allow-multiple-definition"),
		b.compile("upcc", "loop", source, nothing, "-Wl,--allow-multiple-definition"),
		b.compile("upcc", "call", source))
	if err != nil {
		return nil, err
	}
	var all []cost
	for _, n := range b.many {
		c := cost{threads: n}
		var loop float64
		for _, m := range []struct {
			to      *float64
			program string
			how     string
		}{{&c.check, "check", "alone"}, {&loop, "loop", "alone"}, {&c.call, "call", "together"}} {
			out, err := b.launch(m.program, n, m.how, strconv.Itoa(b.rounds))
			if err != nil {
				return all, err
			}
			if _, err := fmt.Sscanf(string(out), "microseconds=%g", m.to); err != nil {
				return all, fmt.Errorf("%s with %d threads: %w\n%s", m.program, n, err, out)
			}
		}
		c.check -= loop
		fmt.Printf("upc_all_broadcast with %d threads: check %.3f µs, call %.1f µs\n", n, c.check, c.call)
		all = append(all, c)
	}
	return all, nil
}
