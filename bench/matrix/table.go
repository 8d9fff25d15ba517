package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
)

// difference is why some tests are known to fail with a library.
type difference struct {
	rows, tests *regexp.Regexp
	said        *regexp.Regexp // what each message of such a test has
	sometimes   bool           // the tests need not fail
	why         string
}

// explains says whether a failed test of a row is one of those. One that says anything else besides fails for another
// reason.
func (d *difference) explains(r *row, f failure) bool {
	other := func(message string) bool { return !d.said.MatchString(message) }
	return d.rows.MatchString(r.name()) && d.tests.MatchString(f.test) && len(f.messages) > 0 &&
		!slices.ContainsFunc(f.messages, other)
}

// readDifferences reads a file of lines: rows, tests, what each message says, why. The first three are regular
// expressions, for the whole names of the first two; a dot is the end of a line, too. Tests that do not fail each time
// have "sometimes " before them.
func readDifferences(path string) (known []difference, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for n, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 4 {
			return nil, fmt.Errorf("%s:%d: %d cells between tabs, want 4: rows, tests, what each message says, why",
				path, n+1, len(cells))
		}
		d := difference{why: cells[3]}
		cells[1], d.sometimes = strings.CutPrefix(cells[1], "sometimes ")
		for i, to := range []**regexp.Regexp{&d.rows, &d.tests, &d.said} {
			whole := "^(?:" + cells[i] + ")$"
			if to == &d.said {
				whole = "(?s)" + cells[i]
			}
			if *to, err = regexp.Compile(whole); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, n+1, err)
			}
		}
		known = append(known, d)
	}
	return known, nil
}

// judge explains the failures that are known. It says which are not, and, if the row is whole, which differences are
// none any more.
func (r *row) judge(known []difference, whole bool) (unexpected []string) {
	used := map[int]bool{}
	for i := range r.results {
		one := &r.results[i]
		for _, f := range one.failed {
			d := slices.IndexFunc(known, func(d difference) bool { return d.explains(r, f) })
			if d < 0 {
				one.unknown++
				unexpected = append(unexpected, one.part.name+": "+f.test+" failed")
				continue
			}
			used[d] = true
			if !slices.Contains(one.excused, d+1) {
				one.excused = append(one.excused, d+1)
			}
		}
	}
	for i, d := range known {
		if whole && !d.sometimes && d.rows.MatchString(r.name()) && !used[i] {
			unexpected = append(unexpected,
				fmt.Sprintf("no test %s fails any more; hint: take its line from the list of differences", d.tests))
		}
	}
	return unexpected
}

const head = `# The matrix of MPI libraries

Written by ` + "`make matrix`" + `; do not edit. Each row is a part of the tests with an MPI library of a Debian release, in a chroot, with that release's compilers.

| release | library and compiler | what | tests | passed | differences | state |
|---|---|---|---|---|---|---|
`

// write puts the row's lines into the table in place of those that it had.
func (r *row) write(path string, known []difference) error {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	kept := map[string]map[string]string{}
	for _, release := range releases() {
		for _, library := range libraries(release) {
			kept[release+"/"+library] = map[string]string{}
		}
	}
	for _, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(line, " | ")
		if of := kept[strings.TrimPrefix(cells[0], "| ")+"/"+family(cells[min(1, len(cells)-1)])]; len(cells) == 7 &&
			of != nil {
			of[cells[2]] = line
		}
	}
	for _, one := range r.results {
		var why []string
		for _, n := range one.excused {
			why = append(why, fmt.Sprint(n))
		}
		if one.unknown > 0 {
			why = append(why, fmt.Sprintf("**%d unexplained**", one.unknown))
		}
		if why == nil {
			why = append(why, "none")
		}
		kept[r.name()][one.part.what] = fmt.Sprintf("| %s | %s, %s | %s | %d | %d | %s | %s |",
			r.release, r.version, r.compiler, one.part.what, one.passed+len(one.failed), one.passed,
			strings.Join(why, ", "), one.state)
	}
	var b strings.Builder
	b.WriteString(head)
	for _, release := range releases() {
		for _, library := range libraries(release) {
			for _, p := range parts() {
				if line := kept[release+"/"+library][p.what]; line != "" {
					b.WriteString(line + "\n")
				}
			}
		}
	}
	b.WriteString("\n## Differences\n\n")
	for i, d := range known {
		fmt.Fprintf(&b, "%d. %s\n", i+1, d.why)
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// family is the short name of a library that the table names with its version.
func family(library string) string {
	name := "mpich"
	if strings.HasPrefix(library, "Open MPI") {
		name = "openmpi"
	}
	if strings.Contains(library, "standard ABI") {
		name += byABI
	}
	return name
}
