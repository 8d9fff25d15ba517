package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"unknot/internal/vocab/finding"
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
		case r.Plain.TimedOut:
			t.slow++
		case r.failed():
			t.differ++
		case r.Varies:
			t.vary++
		default:
			t.same++
		}
		if len(r.wrong()) > 0 {
			t.warnings++
		}
		if r.Run != nil {
			t.calls += r.Run.Calls
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
	fmt.Fprintf(&b, "Made by `make apps`; what the findings are worth is in [docs/apps.md](../docs/apps.md). %s, %d "+
		"cores, %s, %d minutes.\n\n",
		processor(), runtime.NumCPU(), versions(), int(took.Minutes()+0.5))
	fmt.Fprintf(&b, "| programs | MPI | runs | same exit status and output | plain runs vary | plain run exceeds the "+
		"limit | differ | with findings | MPI calls |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, t := range tallies(results) {
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %d | %d | %d |\n", t.group, t.mpi, t.runs, t.same, t.vary,
			t.slow, t.differ, t.warnings, t.calls)
	}
	writeExpected(&b, results)
	fmt.Fprintf(&b, "\n## Runs that differ, or have findings\n\n")
	fmt.Fprintf(&b, "| program | plain exit | unknot exit | same output | findings |\n|---|--:|--:|---|---|\n")
	for _, r := range results {
		if !r.failed() && len(r.wrong()) == 0 && !r.Varies && !r.Plain.TimedOut {
			continue
		}
		same := "yes"
		switch {
		case r.Varies:
			same = "plain runs vary"
		case r.Plain.TimedOut:
			same = "-"
		case !r.Output:
			same = "no"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", cell(r.Name), r.Plain.status(), r.watchedStatus(), same,
			cell(places(r.wrong())))
	}
	if len(missing) > 0 {
		fmt.Fprintf(&b, "\n## Not run\n\n")
		for _, m := range missing {
			fmt.Fprintf(&b, "- %s\n", m)
		}
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// writeExpected says whether what was expected was found, and what else was.
func writeExpected(b *bytes.Buffer, results []Result) {
	met, missed, unexplained := 0, 0, 0
	for _, r := range results {
		met, missed, unexplained = met+r.Met, missed+len(r.Missed), unexplained+len(r.Unexplained)
	}
	fmt.Fprintf(b, "\n## Expected findings\n\n")
	fmt.Fprintf(b, "[findings.tsv](apps/findings.tsv) lists what is to be found, and why each is true: %d were found "+
		"as expected, %d were missed, and %d findings were not expected.\n", met, missed, unexplained)
	if missed+unexplained == 0 {
		return
	}
	fmt.Fprintf(b, "\n| program | missed | not expected |\n|---|---|---|\n")
	for _, r := range results {
		if len(r.Missed)+len(r.Unexplained) == 0 {
			continue
		}
		var other []string
		for _, f := range r.Unexplained {
			other = append(other, short(f))
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", cell(r.Name), cell(strings.Join(r.Missed, "; ")),
			cell(strings.Join(other, "; ")))
	}
}

// short is a finding in short: the code, the place of the first rank, the sentence.
func short(f finding.Finding) string {
	at := "-"
	if len(f.Places) > 0 {
		at = place(f.Places[0])
	}
	return fmt.Sprintf("%s %s: %s", f.Code, at, f.Sentence)
}

// places are findings in few words: the codes, each with the lines where it was found.
func places(findings []finding.Finding) string {
	var codes, parts []string
	at := make(map[string][]string)
	for _, f := range findings {
		code := string(f.Code)
		if at[code] == nil {
			codes = append(codes, code)
			at[code] = []string{}
		}
		if len(f.Places) > 0 && f.Places[0].File != "" && !slices.Contains(at[code], place(f.Places[0])) {
			at[code] = append(at[code], place(f.Places[0]))
		}
	}
	for _, code := range codes {
		parts = append(parts, strings.TrimSpace(code+" "+strings.Join(at[code], ", ")))
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
	for _, p := range []string{"libopenmpi3", "libmpich12", "lammps", "hpcc", "netpipe-openmpi",
		"libscalapack-openmpi2.2", "python3-mpi4py"} {
		out, err := exec.Command("dpkg-query", "-W", "-f", "${Version}", p).Output()
		if err == nil && len(out) > 0 {
			parts = append(parts, p+" "+string(out))
		}
	}
	return "Debian packages " + strings.Join(parts, ", ")
}
