// Command nightly runs the long forms of the tests, and writes what each step did, how long it took and of which state
// to bench/NIGHTLY.md; `make nightly` calls it, in the root of the repository. With a word, as in `go run
// ./bench/nightly prediction`, only the steps with that word in them are run; the rows of others stay.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"unknot/bench/quiet"
)

const page = "bench/NIGHTLY.md"

func main() {
	onlyTable := flag.Bool("table", false, "run nothing, write the table anew")
	flag.Parse()
	quiet.Main("nightly", func(ctx context.Context) error {
		only := strings.Join(flag.Args(), " ")
		return run(ctx, only, *onlyTable)
	})
}

// run makes the steps that have a word in them, and writes the table after each. Its error names those that failed.
func run(ctx context.Context, only string, onlyTable bool) error {
	text, err := os.ReadFile(page)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	t := table{now: time.Now().UTC(), there: there, rows: parse(string(text))}
	steps := all()
	write := func() error { return os.WriteFile(page, []byte(t.format(steps)), 0o644) }
	if onlyTable {
		return write()
	}
	state, err := state(ctx)
	if err != nil {
		return err
	}
	var failed []string
	for _, s := range steps {
		if !strings.Contains(s.what, only) {
			continue
		}
		fmt.Println("nightly:", s.called())
		r := row{what: s.what, command: s.called(), result: passed, state: state, at: time.Now().UTC()}
		if r.result = s.run(ctx); r.result == failure {
			failed = append(failed, s.what)
		}
		r.took, r.at = time.Since(r.at), time.Now().UTC()
		t.rows[s.what] = r
		if err := write(); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("these failed: %s", strings.Join(failed, "; "))
	}
	return nil
}

// Results of a step, as the table has them.
const (
	passed  = "passed"
	failure = "**failed**"
	skipped = "skipped"
)

// run makes a step, whose output is shown when it has ended.
func (s step) run(ctx context.Context) (result string) {
	var out bytes.Buffer
	for _, command := range append(s.before, s.command) {
		cmd := exec.CommandContext(ctx, command[0], command[1:]...)
		cmd.Env = append(append(os.Environ(), "UNKNOT_NIGHTLY=1", "CGO_ENABLED=1"), s.env...)
		if built, err := filepath.Abs("bin/unknot"); err == nil {
			cmd.Env = append(cmd.Env, "UNKNOT_BUILT="+built)
		}
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Run(); err != nil {
			fmt.Fprintln(&out, err)
			result = failure
			break
		}
		result = passed
	}
	if result == failure && s.needs != "" && strings.Contains(out.String(), s.needs) {
		result = skipped
	}
	_, _ = io.Copy(os.Stdout, &out)
	return result
}

// state is the commit that is tested, and whether something has been changed since. The tables themselves may have
// been.
func state(ctx context.Context) (string, error) {
	commit, err := exec.CommandContext(ctx, "git", "describe", "--tags", "--always").Output()
	if err != nil {
		return "", fmt.Errorf("git describe: %w", err)
	}
	name := strings.TrimSpace(string(commit))
	if exec.CommandContext(ctx, "git", "diff", "--quiet", "HEAD", "--", ".", ":!"+page,
		":!bench/MATRIX.md").Run() != nil {
		name += "-dirty"
	}
	return name, nil
}

// there says whether the packages of a pattern are: whether the directory is, and a file of Go in it or below.
func there(pattern string) bool {
	dir, below := strings.CutSuffix(pattern, "/...")
	if !below {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		return err == nil && len(files) > 0
	}
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

func machine() string { return fmt.Sprintf("%d cores, %s", runtime.NumCPU(), runtime.Version()) }
