package judge

import (
	"testing"

	"unknot/internal/shmem/layout"
)

// BenchmarkExchange has each PE put a row to its neighbours, set flags after a fence and wait for theirs: 9 records
// each time.
func BenchmarkExchange(b *testing.B) {
	for _, n := range []int{4, 64} {
		b.Run("", func(b *testing.B) {
			j := newJob(1, n, 64<<20)
			records := 0
			follow := func(pe int, r layout.Record) {
				records++
				j.follow(pe, &r)
			}
			for round := 0; records < b.N; round++ {
				for pe := range n {
					for side, to := range []int{(pe + 1) % n, (pe + n - 1) % n} {
						follow(pe, layout.Record{Kind: layout.Read, Owner: uint16(pe), Site: 1, Offset: data, Size: 8,
							Stride: 8, Count: 100})
						follow(pe, layout.Record{Kind: layout.Write, Flags: layout.Pending | layout.Put,
							Owner: uint16(to), Site: 1, Offset: data + 4096*uint64(side+1), Size: 8,
							Stride: 8, Count: 100})
						follow(pe, layout.Record{Kind: layout.Fence})
						follow(pe, layout.Record{Kind: layout.Write, Flags: layout.Pending | layout.Put,
							Owner: uint16(to), Site: 2, Offset: data + 65536*uint64(side+1), Size: 8,
							Stride: 8, Count: 1})
					}
				}
				for pe := range n {
					for side := range 2 {
						follow(pe, layout.Record{Kind: layout.Sees, Owner: uint16(pe), Site: 3,
							Offset: data + 65536*uint64(side+1), Size: 8})
					}
				}
			}
		})
	}
}

// BenchmarkScatter has a PE put single words to all over another one's memory.
func BenchmarkScatter(b *testing.B) {
	j := newJob(1, 8, 64<<20)
	for i := range b.N {
		j.follow(0, &layout.Record{Kind: layout.Write, Flags: layout.Pending | layout.Put, Owner: uint16(1 + i%7),
			Site: 1, Offset: data + uint64(i*7919%1_000_003)*8, Size: 8, Stride: 8, Count: 1})
		if i%100_000 == 99_999 {
			j.follow(0, &layout.Record{Kind: layout.Quiet})
		}
	}
}
