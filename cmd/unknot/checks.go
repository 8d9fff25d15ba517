package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"unknot/internal/check"
	"unknot/internal/check/registry"
	"unknot/internal/finding"
)

const checksHelp = `usage: unknot checks [--check LIST] [--no-check LIST]
       unknot checks --suppressions

Lists the usage checks by family, with the codes of their findings and whether they are on; options are taken into account.

  --check LIST     as for unknot run
  --no-check LIST  as for unknot run
  --suppressions   list instead the known findings of libraries that are suppressed by default, and why

    unknot checks --no-check leaks
    unknot explain rank-invalid
`

func checksCommand(_ context.Context, args []string, stdout, stderr io.Writer) int {
	var s check.Selection
	f := newFlags("checks", checksHelp, stdout)
	f.Func("check", "", func(names string) error { return registry.Choose(&s, names, true) })
	f.Func("no-check", "", func(names string) error { return registry.Choose(&s, names, false) })
	known := f.Bool("suppressions", false, "")
	if status, ok := parse(f, args, stderr); !ok {
		return status
	}
	if f.NArg() > 0 {
		return fail(stderr, "checks: unexpected %q; hint: `unknot explain CODE` explains one", f.Arg(0))
	}
	if *known {
		return listKnown(stdout, stderr)
	}
	for _, family := range check.Families() {
		first := true
		for _, c := range registry.Checkers() {
			if c.Family != family {
				continue
			}
			if first {
				fmt.Fprintf(stdout, "%s\n", family)
				first = false
			}
			fmt.Fprintf(stdout, "  %s\n", c.Name)
			for _, d := range c.Codes {
				state := "off"
				if s.Enabled(&c, d.Code) {
					state = "on"
				}
				fmt.Fprintf(stdout, "    %-3s  %-24s %s\n", state, d.Code, d.Title)
			}
		}
	}
	return 0
}

// listKnown lists the rules about findings in libraries that are left out by default.
func listKnown(stdout, stderr io.Writer) int {
	list, err := finding.KnownFindings(registry.Catalogue())
	if err != nil {
		return fail(stderr, "checks: %v", err)
	}
	for i, k := range list {
		if i > 0 {
			fmt.Fprintln(stdout)
		}
		fmt.Fprintf(stdout, "%s\n", k.Library)
		for line := range strings.Lines(k.Reason) {
			fmt.Fprintf(stdout, "  %s\n", strings.TrimSpace(line))
		}
		for _, rule := range k.Rules {
			fmt.Fprintf(stdout, "    %s\n", rule)
		}
	}
	return 0
}
