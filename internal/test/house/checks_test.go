package house

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"unknot/internal/check/registry"
)

const (
	checksPage = root + "/docs/checks.md"
	// peersFile has the names of the checks that MUST and Intel's ITAC have, a line each; a line with # before it says
	// whose.
	peersFile = "testdata/peers.txt"
	// otherwiseFile has those of the names that need no code, with a sentence each, and notYetFile those that have none
	// yet.
	otherwiseFile = "testdata/otherwise.txt"
	notYetFile    = "testdata/notyet.txt"
)

// peer is the name of a check of another tool.
type peer struct {
	name, group string // "MUST: Groups"
	codes       []string
	otherwise   string // why it has no code
	notYet      bool
}

// remarks reads a file of names and sentences with a tab between them.
func remarks(t *testing.T, path string) map[string]string {
	out := make(map[string]string)
	for line := range strings.Lines(read(t, path)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		name, sentence, ok := strings.Cut(line, "\t")
		if !ok || !strings.HasSuffix(sentence, ".") {
			t.Errorf("%s: %q: want a name, a tab and a sentence", path, line)
		}
		out[name] = sentence
	}
	return out
}

// peers reads the names of the others' checks, with the codes that stand for them here.
func peers(t *testing.T) []peer {
	codes := make(map[string][]string)
	for _, d := range registry.Catalogue() {
		for _, name := range d.Peers {
			codes[name] = append(codes[name], string(d.Code))
		}
	}
	for _, c := range registry.Checkers() {
		for _, name := range c.Peers {
			for _, d := range c.Codes {
				if !slices.Contains(codes[name], string(d.Code)) {
					codes[name] = append(codes[name], string(d.Code))
				}
			}
		}
	}
	otherwise, notYet := remarks(t, otherwiseFile), remarks(t, notYetFile)
	var list []peer
	group := ""
	for line := range strings.Lines(read(t, peersFile)) {
		line = strings.TrimSpace(line)
		if g, is := strings.CutPrefix(line, "# "); is {
			group = g
			continue
		}
		p := peer{name: line, group: group, codes: codes[line], otherwise: otherwise[line]}
		if why, there := notYet[line]; there {
			p.otherwise, p.notYet = why, true
		}
		delete(codes, line)
		delete(otherwise, line)
		delete(notYet, line)
		list = append(list, p)
	}
	for name := range codes {
		t.Errorf("a check says that it covers %s, which %s does not have", name, peersFile)
	}
	for name := range otherwise {
		t.Errorf("%s has %s, which %s does not have", otherwiseFile, name, peersFile)
	}
	for name := range notYet {
		t.Errorf("%s has %s, which %s does not have", notYetFile, name, peersFile)
	}
	return list
}

// TestDocumentsCompareWithOtherTools keeps docs/checks.md, and that each name of another tool's check has a code here,
// needs none, or is admitted to have none yet. With -update, names that have got a code leave the last list by
// themselves.
func TestDocumentsCompareWithOtherTools(t *testing.T) {
	list := peers(t)
	keep := ""
	for line := range strings.Lines(read(t, notYetFile)) {
		name, _, _ := strings.Cut(line, "\t")
		i := slices.IndexFunc(list, func(p peer) bool { return p.name == name })
		if i < 0 || len(list[i].codes) == 0 {
			keep += line
			continue
		}
		list[i].notYet = false
	}
	compare(t, notYetFile, read(t, notYetFile), keep)
	for _, p := range list {
		if len(p.codes) == 0 && p.otherwise == "" {
			t.Errorf("%s has no code; hint: a checker names it among its Peers, or %s says why not yet",
				p.name, notYetFile)
		}
	}
	compare(t, checksPage, read(t, checksPage), checks(list))
}

// checks is docs/checks.md.
func checks(list []peer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- made from the registered checks by: %s -->\n\n# Usage checks\n\n", regenerate)
	b.WriteString(`Besides deadlocks, ` + "`unknot run`" +
		` checks each MPI call for wrong uses: arguments that MPI does not allow, objects that do not
exist, calls in the wrong order. Findings name the argument, its value and the line, and are certain: what is not
known for sure, such as a handle from a call that unknot does not model, is not reported.

The severity is ` + "`error`" + ` for what the MPI standard calls erroneous, ` + "`warning`" + ` for what is legal but usually wrong or depends on
the MPI library, and ` + "`info`" + ` for remarks. [Findings](findings.md) explains each code with a broken and a fixed program.

## On and off

    unknot run --check=suspicious,style mpirun -n 4 ./app     # also these
    unknot run --no-check=arguments mpirun -n 4 ./app         # all but these
    unknot run --no-check=all mpirun -n 4 ./app               # deadlocks, deaths and the like only
    unknot checks                                             # lists the checks and which are on

LIST is a comma-separated list of checks, codes or families. The later of two options wins.
A check that is off costs nothing.

## Families

| family | check | codes | default |
|---|---|---|---|
`)
	for _, c := range registry.Checkers() {
		var codes []string
		for _, d := range c.Codes {
			codes = append(codes, link(string(d.Code)))
		}
		state := "on"
		if c.Off {
			state = "off"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", c.Family, c.Name, strings.Join(codes, ", "), state)
	}
	b.WriteString("\n## What other tools call it\n\nThe names of all checks of MUST and of Intel's correctness " +
		"checking (ITAC), and the corresponding codes here.\n")
	group := ""
	for _, p := range list {
		if p.group != group {
			group = p.group
			fmt.Fprintf(&b, "\n### %s\n\n| name | here |\n|---|---|\n", group)
		}
		here := p.otherwise
		if len(p.codes) > 0 {
			var codes []string
			for _, c := range p.codes {
				codes = append(codes, link(c))
			}
			here = strings.Join(codes, ", ")
		} else if p.notYet {
			here = "not yet, see [below](#not-yet)"
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", p.name, here)
	}
	b.WriteString("\n## Not yet\n\n")
	none := true
	for _, p := range list {
		if p.notYet && len(p.codes) == 0 {
			none = false
			fmt.Fprintf(&b, "- `%s`: %s\n", p.name, p.otherwise)
		}
	}
	if none {
		b.WriteString("Nothing: each of them is covered.\n")
	}
	return b.String()
}

// link is a code with a link to its page, for a page in docs.
func link(code string) string { return fmt.Sprintf("[`%s`](findings/%s.md)", code, code) }
