package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// DOT writes the wait-for graphs of the findings in the language of Graphviz: a cluster for each finding in which
// somebody waits, a node for ranks that do the same, an arrow from those that wait to those that they wait for. An
// arrow is dashed where one of several is enough. Unlike the picture of the page it leaves nothing out.
func (r *Retold) DOT(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "digraph unknot {\n  label=%s;\n  node [shape=box];\n", dotText(ShellLine(r.Command)))
	for i := range r.Findings {
		r.cluster(b, i)
	}
	fmt.Fprintln(b, "}")
	return b.Flush()
}

func (r *Retold) cluster(b *bufio.Writer, at int) {
	f := &r.Findings[at]
	core, others := groupsOf(f, r.Ranks)
	g := build(core, others, r.names)
	if len(g.arcs) == 0 {
		return
	}
	name := fmt.Sprintf("f%d", at+1)
	fmt.Fprintf(b, "  subgraph cluster_%s {\n    label=%s;\n", name, dotText(string(f.Code)+": "+f.Sentence))
	groups := slices.Concat(core, others)
	for n := range g.nodes {
		x := &g.nodes[n]
		fmt.Fprintf(b, "    %s_%d [label=%s, class=%s", name, n, dotText(x.label, x.call, x.at), dotText(x.kind))
		if n < len(groups) {
			fmt.Fprintf(b, ", ranks=%s", dotText(runsOf(groups[n].ranks)))
		}
		if x.kind == "core" {
			fmt.Fprint(b, ", color=red")
		}
		fmt.Fprintln(b, "];")
	}
	fmt.Fprintln(b, "  }")
	for _, a := range g.arcs {
		fmt.Fprintf(b, "  %s_%d -> %s_%d", name, a.from, name, a.to)
		var attributes []string
		if a.label != "" {
			attributes = append(attributes, "label="+dotText(a.label))
		}
		if a.any {
			attributes = append(attributes, "style=dashed")
		}
		if len(attributes) > 0 {
			fmt.Fprintf(b, " [%s]", strings.Join(attributes, ", "))
		}
		fmt.Fprintln(b, ";")
	}
}

// dotText is a quoted string with a line for each text that is not empty.
func dotText(lines ...string) string {
	var all []string
	for _, l := range lines {
		if l != "" {
			all = append(all, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(clean(l)))
		}
	}
	return `"` + strings.Join(all, `\n`) + `"`
}
