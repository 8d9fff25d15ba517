package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
)

func versionCommand(_ context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] != "--help" {
		return fail(stderr, "version: unexpected %q", args[0])
	}
	fmt.Fprintf(stdout, "unknot %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return 0
}
