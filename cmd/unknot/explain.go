package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"unknot/internal/check/registry"
	"unknot/internal/vocab/finding"
)

const explainHelp = `usage: unknot explain [CODE]

Explains what a finding means, why it happens and how to fix it, with an example. Without a code it lists all codes.

    unknot explain deadlock
`

func explainCommand() *cobra.Command {
	c, _ := verb("explain", "[CODE]", "what a finding means, why it happens, how to fix it", explainHelp)
	c.ValidArgsFunction = first(codes)
	c.RunE = does(explain)
	return c
}

func explain(_ context.Context, args []string, stdout, stderr io.Writer) int {
	known := registry.Catalogue()
	switch len(args) {
	case 0:
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
	fmt.Fprintf(stdout, "%s: %s (%s, since %s)\n\n%s\n\nWhy it happens\n\n%s\n\nHow to fix it\n\n%s\n", doc.Code,
		doc.Title, doc.Severity, doc.Since,
		doc.Means, doc.Why, doc.Fix)
	if doc.Broken != "" {
		fmt.Fprintf(stdout, "\nBroken\n\n%s\nFixed\n\n%s", doc.Broken, doc.Fixed)
	}
	return 0
}
