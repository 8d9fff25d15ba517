package main

import (
	"debug/elf"
	"errors"
	"fmt"

	"unknot/bench/quiet"
)

// memory is what the checks add to a thread's memory, in bytes.
type memory struct {
	threads int
	// shared are declared shared objects, private writable parts of the program, allocated what malloc gave to the
	// checks.
	shared, private, allocated int64
	// level is what a followed call adds to the stack (-s).
	level int64
}

func (m memory) total() int64 { return m.shared + m.private + m.allocated }

// memories measures memory, and writes the table.
func (b *bench) memories() error {
	watch := quiet.Start()
	all, err := b.memory()
	if err != nil {
		return err
	}
	return replace("## Memory", watch, memoryTable(all))
}

// memory compares programs/memory.upc with and without checks, with the least and the greatest number of threads.
func (b *bench) memory() ([]memory, error) {
	const source = "bench/upccheck/programs/memory.upc"
	if err := errors.Join(b.compile("upcc", "memory.plain", source), b.compile("upc-check", "memory.checked", "-s",
		source)); err != nil {
		return nil, err
	}
	var of [2]memory
	for i, program := range []string{"memory.plain", "memory.checked"} {
		var err error
		if of[i].shared, of[i].private, err = writable(b.path(program)); err != nil {
			return nil, err
		}
	}
	var all []memory
	for _, n := range []int{b.many[0], b.many[len(b.many)-1]} {
		var now [2]memory
		for i, program := range []string{"memory.plain", "memory.checked"} {
			out, err := b.launch(program, n)
			if err != nil {
				return all, err
			}
			if _, err := fmt.Sscanf(string(out), "allocated=%d level=%d", &now[i].allocated,
				&now[i].level); err != nil {
				return all, fmt.Errorf("%s with %d threads: %w\n%s", program, n, err, out)
			}
		}
		all = append(all, memory{threads: n, shared: of[1].shared - of[0].shared,
			private:   of[1].private - of[0].private,
			allocated: now[1].allocated - now[0].allocated, level: now[1].level - now[0].level})
	}
	return all, nil
}

// writable are the bytes of a program's sections that each thread has for itself: its part of declared shared objects,
// and the rest.
func writable(program string) (shared, private int64, err error) {
	f, err := elf.Open(program)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_WRITE == 0 || s.Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		if s.Name == "upcr_shared" {
			shared += int64(s.Size)
		} else {
			private += int64(s.Size)
		}
	}
	return shared, private, nil
}
