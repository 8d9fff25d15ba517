package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"unknot/internal/kit/cmake"
	"unknot/internal/kit/pytest"
)

// Commands that print what test frameworks need of unknot.

const cmakeHelp = `usage: unknot cmake

Prints FindUnknot.cmake, the CMake module that runs a project's tests under unknot. An installed unknot has it in
share/unknot/cmake, where find_package(Unknot) finds it. Otherwise keep a copy in the project:

    unknot cmake > cmake/FindUnknot.cmake
`

func cmakeCommand() *cobra.Command {
	return printer("cmake", "print the module by which CMake projects test under unknot", cmakeHelp, cmake.Module,
		"cmake/FindUnknot.cmake")
}

const pytestHelp = `usage: unknot pytest

Prints unknot_pytest.py, the plugin by which pytest runs tests of mpi4py programs as jobs under unknot. An installed unknot has
it in share/unknot/pytest. Otherwise keep a copy beside the conftest.py of the project:

    unknot pytest > unknot_pytest.py
    echo 'pytest_plugins = ["unknot_pytest"]' >> conftest.py
    pytest --unknot
`

func pytestCommand() *cobra.Command {
	return printer("pytest", "print the plugin by which pytest tests under unknot", pytestHelp, pytest.Plugin,
		"unknot_pytest.py")
}

// printer makes a command that prints a file, which a project keeps under a name.
func printer(name, about, help, text, file string) *cobra.Command {
	c, _ := verb(name, "", about, help)
	c.ValidArgsFunction = cobra.NoFileCompletions
	c.RunE = does(func(_ context.Context, args []string, stdout, stderr io.Writer) int {
		if len(args) > 0 {
			return fail(stderr, "%s: unexpected %q; hint: `unknot %s > %s`", name, args[0], name, file)
		}
		if _, err := io.WriteString(stdout, text); err != nil {
			complain(stderr, err)
			return 3
		}
		return 0
	})
	return c
}
