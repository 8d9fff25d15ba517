package file

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkWrite is the writer's whole work for a call: columns, compression, the file.
func BenchmarkWrite(b *testing.B) {
	for _, l := range workloads {
		b.Run(l.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "bench.unk")
			k := newWorkload(b, path, l.ranks)
			b.ReportAllocs()
			b.ResetTimer()
			k.record(b, b.N, l.iteration)
			b.StopTimer()
			fi, err := os.Stat(path)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(k.calls)/b.Elapsed().Seconds(), "calls/s")
			b.ReportMetric(float64(fi.Size())/float64(k.calls), "B/call")
		})
	}
}

// BenchmarkScan is what a screener pays for the calls before it looks at them.
func BenchmarkScan(b *testing.B) {
	const calls = 2_000_000
	for _, l := range workloads {
		path := recorded(b, l.name, calls)
		for name, want := range map[string]Columns{"all": All, "screening": 0} {
			b.Run(l.name+"/"+name, func(b *testing.B) {
				total := uint64(0)
				for b.Loop() {
					info, err := Scan(path, want, func(k *Block) error { return nil })
					if err != nil {
						b.Fatal(err)
					}
					total += info.Calls
				}
				b.ReportMetric(float64(total)/b.Elapsed().Seconds(), "calls/s")
			})
		}
	}
}

func BenchmarkRead(b *testing.B) {
	path := recorded(b, "ring", 1_000_000)
	total := 0
	for b.Loop() {
		log, err := Read(path)
		if err != nil {
			b.Fatal(err)
		}
		for i := range log.Threads {
			total += len(log.Threads[i].Ops)
		}
	}
	b.ReportMetric(float64(total)/b.Elapsed().Seconds(), "calls/s")
}
