package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"unknot/internal/finding"
)

// tally counts the results of one group on one MPI.
type tally struct {
	group, mpi                               string
	runs, same, vary, slow, differ, warnings int
	calls                                    uint64
}

func tallies(results []Result) []tally {
	var all []tally
	for _, r := range results {
		i := slices.IndexFunc(all, func(t tally) bool { return t.group == r.Group && t.mpi == r.MPI })
		if i < 0 {
			i = len(all)
			all = append(all, tally{group: r.Group, mpi: r.MPI})
		}
		t := &all[i]
		t.runs++
		switch {
		case r.plain.timedOut:
			t.slow++
		case r.failed():
			t.differ++
		case r.varies:
			t.vary++
		default:
			t.same++
		}
		if len(r.findings) > 0 {
			t.warnings++
		}
		if r.run != nil {
			t.calls += r.run.Calls
		}
	}
	return all
}

func summary(results []Result) string {
	var b strings.Builder
	for i, t := range tallies(results) {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s, %s: %d runs, %d same, %d differ", t.group, t.mpi, t.runs, t.same, t.differ)
	}
	return b.String()
}

// writeTable writes the whole result as Markdown.
func writeTable(path string, results []Result, missing []string, took time.Duration) error {
	slices.SortStableFunc(results, func(a, b Result) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.MPI, b.MPI), cmp.Compare(a.Name, b.Name))
	})
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Real programs, plain and watched\n\n")
	fmt.Fprintf(&b, "Made by `make apps`; what the findings are worth is in [docs/apps.md](../docs/apps.md). %s, %d cores, %s, %d minutes.\n\n",
		processor(), runtime.NumCPU(), versions(), int(took.Minutes()+0.5))
	fmt.Fprintf(&b, "| programs | MPI | runs | same exit status and output | plain runs vary | plain run exceeds the limit | differ | with findings | MPI calls |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, t := range tallies(results) {
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %d | %d | %d |\n", t.group, t.mpi, t.runs, t.same, t.vary, t.slow, t.differ, t.warnings, t.calls)
	}
	fmt.Fprintf(&b, "\n## Runs that differ, or have findings\n\n")
	fmt.Fprintf(&b, "| program | plain exit | unknot exit | same output | findings |\n|---|--:|--:|---|---|\n")
	for _, r := range results {
		if !r.failed() && len(r.findings) == 0 && !r.varies && !r.plain.timedOut {
			continue
		}
		same := "yes"
		switch {
		case r.varies:
			same = "plain runs vary"
		case r.plain.timedOut:
			same = "-"
		case !r.output:
			same = "no"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", cell(r.Name), r.plain.status(), r.watchedStatus(), same, cell(told(r.findings)))
	}
	if len(missing) > 0 {
		fmt.Fprintf(&b, "\n## Not run\n\n")
		for _, m := range missing {
			fmt.Fprintf(&b, "- %s\n", m)
		}
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// told is the findings in short: the code, the place of the first rank, the sentence.
func told(findings []finding.Finding) string {
	var parts []string
	for _, f := range findings {
		at := ""
		if len(f.Places) > 0 && f.Places[0].File != "" {
			at = fmt.Sprintf(" %s:%d", filepath.Base(f.Places[0].File), f.Places[0].Line)
		}
		parts = append(parts, fmt.Sprintf("%s%s: %s", f.Code, at, f.Sentence))
	}
	return strings.Join(parts, "; ")
}

func cell(s string) string { return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s) }

func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(text)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				return strings.TrimSpace(value)
			}
		}
	}
	return runtime.GOARCH
}

// versions names the packages that were run.
func versions() string {
	var parts []string
	for _, p := range []string{"libopenmpi3", "libmpich12", "lammps", "hpcc", "netpipe-openmpi", "python3-mpi4py"} {
		out, err := exec.Command("dpkg-query", "-W", "-f", "${Version}", p).Output()
		if err == nil && len(out) > 0 {
			parts = append(parts, p+" "+string(out))
		}
	}
	return "Debian packages " + strings.Join(parts, ", ")
}
