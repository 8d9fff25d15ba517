//go:build !quick

package hosts

import "testing"

// The time from nothing to a cluster of three hosts and back.
func BenchmarkCluster(b *testing.B) {
	for _, slurm := range []bool{false, true} {
		name := "ssh"
		if slurm {
			name = "slurm"
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				c, err := Open(Options{Slurm: slurm})
				if err != nil {
					b.Fatal(err)
				}
				if err := c.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
