package doctor

import (
	"context"
	_ "embed"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"unknot/internal/observe/stage"
)

// facts are what a host says of itself.
type facts struct {
	err       error
	away      time.Duration     // how far its clock is from this one's, as far as that is certain
	free      int64             // bytes in /dev/shm; -1 if there is none
	mpi       map[string]string // versions by launcher
	library   string            // that the program needs, and its file
	absent    bool              // is the program
	reached   bool              // is the host that asks
	unreached string            // why not, as far as known
}

//go:embed survey.sh
var surveyScript string

const patience = time.Minute

// survey asks a host. agent is the unknot there, "" for none.
func (h *hosts) survey(ctx context.Context, host, agent string) facts {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	in, out, err := os.Pipe()
	if err != nil {
		return facts{err: err}
	}
	defer in.Close()
	_, err = out.WriteString(h.link + "\n") // less than a pipe holds
	out.Close()
	if err != nil {
		return facts{err: err}
	}
	began := time.Now()
	lines, err := h.shell.Ask(ctx, host, surveyScript, in, h.program, strings.Join(h.launchers, " "), agent,
		strings.Join(h.addresses, " "))
	if err != nil {
		return facts{err: err}
	}
	return readFacts(lines, began, time.Now())
}

func readFacts(lines []string, began, ended time.Time) facts {
	f := facts{free: -1, mpi: make(map[string]string)}
	texts := make(map[string]string)
	for _, line := range lines {
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "time":
			if at, err := strconv.ParseInt(rest, 10, 64); err == nil {
				f.away = awayFrom(time.Unix(at, 0), began.Truncate(time.Second), ended)
			}
		case "shm":
			const available = 3
			if columns := strings.Fields(rest); len(columns) > available {
				if kib, err := strconv.ParseInt(columns[available], 10, 64); err == nil {
					f.free = kib << 10
				}
			}
		case "mpi":
			name, said, _ := strings.Cut(rest, " ")
			path, text, _ := strings.Cut(said, " ")
			texts[name] += path + ": " + text + "\n"
		case "library":
			f.library = rest
		case "absent":
			f.absent = true
		case "reached":
			f.reached = true
		case "unreached":
			f.unreached = rest
		}
	}
	for name, text := range texts {
		f.mpi[name] = versionIn(text)
	}
	return f
}

// awayFrom is how far a moment is from a time span.
func awayFrom(at, began, ended time.Time) time.Duration {
	switch {
	case at.Before(began):
		return at.Sub(began)
	case at.After(ended):
		return at.Sub(ended)
	}
	return 0
}

var versionOf = regexp.MustCompile(`(?:(?:Open MPI|OpenRTE|PRRTE)\)|Version:|slurm)\s+(\S+)`)

// versionIn is the version in what a launcher says, or else all of its first line.
func versionIn(text string) string {
	if m := versionOf.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// agentOf is the unknot of a host that can join, "" if it has none.
func agentOf(seen *stage.Seen, d stage.Directories, files []stage.File) string {
	if seen.Has(unknot) || seen.HasOther(unknot) && seen.Other != "" {
		return files[unknot].Path
	}
	return seen.Staged(d, files, unknot)
}
