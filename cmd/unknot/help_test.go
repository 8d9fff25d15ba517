package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestEveryCommandHasHelp asks for it in all ways, and wants every option described.
func TestEveryCommandHasHelp(t *testing.T) {
	for _, c := range commands() {
		want := output(t, "help", c.Name())
		if c.DisableFlagParsing {
			// It reads its command line itself, and what it makes of --help may be another program's.
			if !strings.HasPrefix(want, "usage: ") || !strings.Contains(want, "unknot "+c.Name()) {
				t.Errorf("unknot help %s prints\n%s", c.Name(), want)
			}
			continue
		}
		if !strings.HasPrefix(want, "usage: unknot "+c.Name()) || strings.Contains(want, "{options}") {
			t.Errorf("unknot help %s prints\n%s", c.Name(), want)
		}
		for _, ask := range []string{"-h", "--help", "-help"} {
			if got := output(t, c.Name(), ask); got != want {
				t.Errorf("unknot %s %s prints\n%s\nwant\n%s", c.Name(), ask, got, want)
			}
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden {
				t.Errorf("unknot %s has a hidden option --%s; hint: supervise.Internal is for options of unknot itself",
					c.Name(), f.Name)
			}
			if f.Name != "help" && !c.Hidden && !strings.Contains(want, "\n  "+spelling(f)) {
				t.Errorf("unknot help %s does not describe %s", c.Name(), spelling(f))
			}
			if f.Usage == "" {
				t.Errorf("option --%s of %s has no description, which shells show", f.Name, c.Name())
			}
		})
	}
}

// output is what a successful command prints.
func output(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := dispatch(t.Context(), args, &stdout, &stderr); status != 0 || stderr.Len() > 0 {
		t.Errorf("unknot %s: status %d\n%s", strings.Join(args, " "), status, &stderr)
	}
	return stdout.String()
}
