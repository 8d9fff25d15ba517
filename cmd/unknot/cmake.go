package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"unknot/internal/kit/cmake"
)

const cmakeHelp = `usage: unknot cmake

Prints FindUnknot.cmake, the CMake module that runs a project's tests under unknot. An installed unknot has it in
share/unknot/cmake, where find_package(Unknot) finds it. Otherwise keep a copy in the project:

    unknot cmake > cmake/FindUnknot.cmake
`

func cmakeCommand() *cobra.Command {
	c, _ := verb("cmake", "", "print the module by which CMake projects test under unknot", cmakeHelp)
	c.ValidArgsFunction = cobra.NoFileCompletions
	c.RunE = does(func(_ context.Context, args []string, stdout, stderr io.Writer) int {
		if len(args) > 0 {
			return fail(stderr, "cmake: unexpected %q; hint: `unknot cmake > cmake/FindUnknot.cmake`", args[0])
		}
		if _, err := io.WriteString(stdout, cmake.Module); err != nil {
			complain(stderr, err)
			return 3
		}
		return 0
	})
	return c
}
