package main

import (
	"context"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"
)

const versionHelp = `usage: unknot version

Prints the version of unknot, the version of Go that built it, and the machine that it was built for.
`

func versionCommand() *cobra.Command {
	c, _ := verb("version", "", "print the version", versionHelp)
	c.ValidArgsFunction = cobra.NoFileCompletions
	c.RunE = does(func(_ context.Context, args []string, stdout, stderr io.Writer) int {
		if len(args) > 0 {
			return fail(stderr, "version: unexpected %q", args[0])
		}
		fmt.Fprintf(stdout, "unknot %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return 0
	})
	return c
}
