package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"unknot/internal/test/testkit/hangs/outside"
)

// count is how often each grade was given.
type count [outside.Wrong + 1]int

func (c *count) text() string {
	of := c[outside.Right] + c[outside.Unknown] + c[outside.Wrong]
	if of == 0 {
		return "-"
	}
	text := fmt.Sprintf("%d of %d (%.1f %%)", c[outside.Right], of, 100*float64(c[outside.Right])/float64(of))
	if c[outside.Wrong] > 0 {
		text += fmt.Sprintf(", %d wrong", c[outside.Wrong])
	}
	return text
}

// counts are those of what is seen of a thread.
type counts struct{ call, place, peer, tag count }

type table struct {
	verbose bool
	failed  []string
	groups  map[string]*counts
}

func newTable(verbose bool) *table { return &table{verbose: verbose, groups: make(map[string]*counts)} }

// add counts what was seen of a program, and says what was wrong.
func (t *table) add(r result) {
	p := r.program
	if r.err != nil {
		t.failed = append(t.failed, r.err.Error())
		fmt.Fprintln(os.Stderr, r.err)
		return
	}
	for _, row := range r.rows {
		for _, group := range []string{"all", string(p.Language) + " " + p.Level(), p.Family} {
			g := t.groups[group]
			if g == nil {
				g = new(counts)
				t.groups[group] = g
			}
			g.call[row.Call]++
			g.place[row.Place]++
			g.peer[row.Peer]++
			g.tag[row.Tag]++
		}
		worst := max(row.Call, row.Place, row.Peer, row.Tag)
		if worst == outside.Wrong || t.verbose && worst == outside.Unknown {
			fmt.Printf("%s: seed %d, %s, %s %s, rank %d: %s line %d: %s\n", map[bool]string{true: "wrong", false: "unknown"}[worst ==
				outside.Wrong], p.Seed, p.Family, p.Language, strings.Join(p.Options, " ")+" "+p.Compiler, row.Rank,
				cmp.Or(row.Function, "computes"), row.Line, row.Seen)
		}
	}
}

func (t *table) print(to io.Writer, library string) {
	w := tabwriter.NewWriter(to, 0, 8, 1, ' ', 0)
	fmt.Fprintf(w, "| %s\t| call\t| line\t| peer\t| tag\t|\n|---\t|---\t|---\t|---\t|---\t|\n", library)
	for _, name := range slices.Sorted(maps.Keys(t.groups)) {
		g := t.groups[name]
		fmt.Fprintf(w, "| %s\t| %s\t| %s\t| %s\t| %s\t|\n", name, g.call.text(), g.place.text(), g.peer.text(), g.tag.text())
	}
	w.Flush()
	fmt.Fprintf(to, "%d programs did not hang, or could not be looked at\n", len(t.failed))
}
