// Command pack compresses probes, so that they become part of unknot when it is built: pack FROM… TO. `make probes`
// calls it. pack -fitting DIR prints the files of those in a directory that were made by these sources, one a line:
// `make packages` takes them.
package main

import (
	"fmt"
	"os"

	"unknot/internal/observe/probe"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: pack FROM… TO, or pack -fitting DIR")
		os.Exit(2)
	}
	if os.Args[1] == "-fitting" {
		for _, file := range probe.Fitting(os.Args[2]) {
			fmt.Println(file)
		}
		return
	}
	to := os.Args[len(os.Args)-1]
	for _, from := range os.Args[1 : len(os.Args)-1] {
		if err := probe.Pack(from, to); err != nil {
			fmt.Fprintln(os.Stderr, "pack:", err)
			os.Exit(1)
		}
	}
}
