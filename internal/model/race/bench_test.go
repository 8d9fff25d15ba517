package race

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkInsert is one access of 8 bytes: in the orders in which UPC-Thrille was measured (ICS 2013, 3.3), among so
// many ranges.
func BenchmarkInsert(b *testing.B) {
	for _, many := range []int{20_000, 1_000_000} {
		order := rand.New(rand.NewPCG(1, 1)).Perm(many)
		for _, c := range []struct {
			name string
			at   func(i int) uint64
		}{
			{"sequential", func(i int) uint64 { return uint64(i) * 10 }},
			{"reverse", func(i int) uint64 { return uint64(many-i) * 10 }},
			{"strided", func(i int) uint64 { return uint64(i%1000*(many/1000)+i/1000) * 10 }},
			{"random", func(i int) uint64 { return uint64(order[i]) * 10 }},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, many), func(b *testing.B) {
				d := New(Options{Threads: 2})
				d.bound = 1 << 60
				for i := 0; b.Loop(); i++ {
					if i%many == 0 {
						d = New(Options{Threads: 2})
						d.bound = 1 << 60
					}
					d.Access(0, Access{Start: c.at(i % many), Size: 10, Kind: Write, Site: Site(i & 1)})
				}
			})
		}
	}
}
