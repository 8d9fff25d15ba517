package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"unknot/cmd/unknot/complete"
	"unknot/internal/check"
	"unknot/internal/check/registry"
	"unknot/internal/vocab/finding"
)

const checksHelp = `usage: unknot checks [--check LIST] [--no-check LIST]
       unknot checks --suppressions

Lists the usage checks by family, with the codes of their findings and whether they are on; options are taken into account.

{options}

    unknot checks --no-check leaks
    unknot explain rank-invalid
`

func checksCommand() *cobra.Command {
	var s check.Selection
	known, asJSON := false, false
	c, f := verb("checks", "", "list the usage checks and whether they are on", checksHelp)
	f.value(selected{&s, true}, "check", "LIST", "as for unknot run", complete.Checks)
	f.value(selected{&s, false}, "no-check", "LIST", "as for unknot run", complete.Checks)
	f.on(&known, "suppressions", "list instead the known findings of libraries that are suppressed by default, and why")
	f.json(&asJSON)
	c.ValidArgsFunction = cobra.NoFileCompletions
	c.RunE = does(func(_ context.Context, args []string, stdout, stderr io.Writer) int {
		switch {
		case len(args) > 0:
			return fail(stderr, "checks: unexpected %q; hint: `unknot explain CODE` explains one", args[0])
		case known:
			return listKnown(asJSON, stdout, stderr)
		case asJSON:
			writeJSON(stdout, checksDocument(s))
			return 0
		}
		listChecks(stdout, s)
		return 0
	})
	return c
}

// selected is the value of --check or --no-check.
type selected struct {
	in *check.Selection
	on bool
}

func (s selected) String() string { return "" }

func (s selected) Type() string { return "LIST" }

func (s selected) Set(names string) error { return registry.Choose(s.in, names, s.on) }

// usageCheck is one of the checks of how MPI is used.
type usageCheck struct {
	Family check.Family `json:"family"`
	Name   string       `json:"name"`
	Codes  []usageCode  `json:"codes"`
}

// usageCode is a code of a check's findings, and whether it is on.
type usageCode struct {
	Code  finding.Code `json:"code"`
	Title string       `json:"title"`
	On    bool         `json:"on"`
}

// usageChecks are all of them, by family.
func usageChecks(s check.Selection) (list []usageCheck) {
	for _, family := range check.Families() {
		for _, c := range registry.Checkers() {
			if c.Family != family {
				continue
			}
			u := usageCheck{Family: family, Name: c.Name}
			for _, d := range c.Codes {
				u.Codes = append(u.Codes, usageCode{d.Code, d.Title, s.Enabled(&c, d.Code)})
			}
			list = append(list, u)
		}
	}
	return list
}

// listChecks lists the checks by family.
func listChecks(stdout io.Writer, s check.Selection) {
	var family check.Family
	for _, c := range usageChecks(s) {
		if c.Family != family {
			family = c.Family
			fmt.Fprintf(stdout, "%s\n", family)
		}
		fmt.Fprintf(stdout, "  %s\n", c.Name)
		for _, d := range c.Codes {
			state := "off"
			if d.On {
				state = "on"
			}
			fmt.Fprintf(stdout, "    %-3s  %-24s %s\n", state, d.Code, d.Title)
		}
	}
}

// checksDocument is the list of checks for other programs.
func checksDocument(s check.Selection) any {
	return struct {
		Schema string       `json:"schema"`
		Checks []usageCheck `json:"checks"`
	}{"unknot.checks/1", usageChecks(s)}
}

// knownDocument is the list of known findings for other programs.
func knownDocument(list []finding.Known) any {
	type entry struct {
		Library string   `json:"library"`
		Reason  string   `json:"reason"`
		Rules   []string `json:"rules"`
	}
	var known []entry
	for _, k := range list {
		known = append(known, entry{k.Library, strings.Join(strings.Fields(k.Reason), " "), k.Rules})
	}
	return struct {
		Schema string  `json:"schema"`
		Known  []entry `json:"known"`
	}{"unknot.known/1", known}
}

// listKnown lists the rules about findings in libraries that are left out by default.
func listKnown(asJSON bool, stdout, stderr io.Writer) int {
	list, err := finding.KnownFindings(registry.Catalogue())
	if err != nil {
		return fail(stderr, "checks: %v", err)
	}
	if asJSON {
		writeJSON(stdout, knownDocument(list))
		return 0
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
