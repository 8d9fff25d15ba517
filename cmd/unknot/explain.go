package main

import (
	"context"
	"fmt"
	"io"
	"regexp"

	"github.com/spf13/cobra"

	"unknot/cmd/unknot/complete"
	"unknot/internal/check/registry"
	"unknot/internal/vocab/finding"
)

const explainHelp = `usage: unknot explain [CODE]

Explains what a finding means, why it happens and how to fix it, with an example. Without a code it lists all codes.

    unknot explain deadlock

{options}
`

func explainCommand() *cobra.Command {
	asJSON := false
	c, f := verb("explain", "[CODE]", "what a finding means, why it happens, how to fix it", explainHelp)
	c.ValidArgsFunction = complete.First(complete.Codes)
	f.json(&asJSON)
	c.RunE = does(func(_ context.Context, args []string, stdout, stderr io.Writer) int {
		return explain(args, asJSON, stdout, stderr)
	})
	return c
}

func explain(args []string, asJSON bool, stdout, stderr io.Writer) int {
	known := registry.Catalogue()
	switch len(args) {
	case 0:
		if asJSON {
			writeJSON(stdout, codesDocument(known))
			return 0
		}
		for _, doc := range known {
			fmt.Fprintf(stdout, "%-24s %s\n", doc.Code, doc.Title)
		}
		return 0
	case 1:
	default:
		return fail(stderr, "explain: %d codes given, expected one", len(args))
	}
	doc, ok := known.Explain(finding.Code(args[0]))
	if !ok {
		return fail(stderr, "explain: no code %q; hint: %s", args[0], known.Nearest(args[0]))
	}
	if asJSON {
		writeJSON(stdout, codesDocument(finding.Catalogue{doc}))
		return 0
	}
	fmt.Fprintf(stdout, "%s: %s (%s, since %s)\n\n%s\n\nWhy it happens\n\n%s\n\nHow to fix it\n\n%s\n", doc.Code,
		doc.Title, doc.Severity, doc.Since,
		withoutLinks(doc.Means), withoutLinks(doc.Why), withoutLinks(doc.Fix))
	if doc.Broken != "" {
		fmt.Fprintf(stdout, "\nBroken\n\n%s\nFixed\n\n%s", doc.Broken, doc.Fixed)
	}
	return 0
}

// withoutLinks leaves the words of Markdown's links.
func withoutLinks(text string) string {
	return regexp.MustCompile(`\[([^]]+)\]\([^)]+\)`).ReplaceAllString(text, "$1")
}

// codesDocument is explanations for other programs.
func codesDocument(c finding.Catalogue) any {
	type code struct {
		Code     finding.Code     `json:"code"`
		Title    string           `json:"title"`
		Severity finding.Severity `json:"severity"`
		Since    string           `json:"since"`
		Means    string           `json:"means"`
		Why      string           `json:"why"`
		Fix      string           `json:"fix"`
		Broken   string           `json:"broken,omitempty"`
		Fixed    string           `json:"fixed,omitempty"`
	}
	var list []code
	for _, d := range c {
		list = append(list, code{d.Code, d.Title, d.Severity, d.Since, d.Means, d.Why, d.Fix, d.Broken, d.Fixed})
	}
	return struct {
		Schema string `json:"schema"`
		Codes  []code `json:"codes"`
	}{"unknot.codes/1", list}
}
