// Command pack compresses probes, so that they become part of unknot when it is built: pack FROM… TO. `make probes` calls it.
package main

import (
	"fmt"
	"os"

	"unknot/internal/probe"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: pack FROM… TO")
		os.Exit(2)
	}
	to := os.Args[len(os.Args)-1]
	for _, from := range os.Args[1 : len(os.Args)-1] {
		if err := probe.Pack(from, to); err != nil {
			fmt.Fprintln(os.Stderr, "pack:", err)
			os.Exit(1)
		}
	}
}
