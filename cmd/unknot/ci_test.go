//go:build !quick

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"unknot/internal/test/testkit/snippets"
)

// What docs/ci.md shows is what the script ci.txtar runs, pytest.txtar what docs/pytest.md does, and timelimit.txtar what
// docs/dump.md does: their commands take the blocks of code out of the pages, and do what the services do with them.

const (
	ciPage     = "../../docs/ci.md"
	pytestPage = "../../docs/pytest.md"
	dumpPage   = "../../docs/dump.md"
)

// blocks are those of these pages.
func blocks() (map[string]string, error) {
	all := make(map[string]string)
	for _, page := range []string{ciPage, pytestPage, dumpPage} {
		found, err := snippets.Of(page)
		if err != nil {
			return nil, err
		}
		for name, text := range found {
			if all[name] != "" {
				return nil, fmt.Errorf("%s has a block %s, which another page has too", page, name)
			}
			all[name] = text
		}
	}
	return all, nil
}

// block writes blocks of the pages to the files that they name, below a directory: block DIR NAME ….
func block(ts *testscript.TestScript, _ bool, args []string) {
	found, err := blocks()
	ts.Check(err)
	for _, name := range args[1:] {
		text, there := found[name]
		if !there {
			ts.Fatalf("none of %s, %s and %s has a block %q", ciPage, pytestPage, dumpPage, name)
		}
		file := ts.MkAbs(filepath.Join(args[0], name))
		ts.Check(os.MkdirAll(filepath.Dir(file), 0o755))
		ts.Check(os.WriteFile(file, []byte(text), 0o755))
	}
}

// workflow is what of a file of GitHub's this test looks at.
type workflow struct {
	Env  map[string]string
	Jobs map[string]struct {
		Container string
		Env       map[string]string
		Steps     []step
	}
}

type step struct {
	Run, Uses, If string
	Env, With     map[string]string
}

// github runs the job of a workflow as the runner does: github FILE JOB. Each command has a file for its summary; after
// one that fails, only steps that always run do. A step that uses an action must find the files that it is given. All
// summaries are put together in the file summary, and what was printed in the file printed. It fails if the job does.
func github(ts *testscript.TestScript, neg bool, args []string) {
	var w workflow
	ts.Check(yaml.Unmarshal([]byte(ts.ReadFile(args[0])), &w))
	job, there := w.Jobs[args[1]]
	if !there {
		ts.Fatalf("no job %q", args[1])
	}
	// https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax: a container has sh, a machine
	// has bash.
	shell := "bash"
	if job.Container != "" {
		shell = "sh"
	}
	for _, env := range []map[string]string{w.Env, job.Env,
		{"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": ts.MkAbs(".")}} {
		setenv(ts, env)
	}
	failed := false
	var summaries, printed strings.Builder
	for i, s := range job.Steps {
		if failed && s.If != "always()" {
			continue
		}
		if s.Run == "" {
			for _, input := range []string{"sarif_file", "path"} {
				present(ts, s.Uses, strings.Fields(s.With[input]))
			}
			continue
		}
		summary, script := ts.MkAbs(fmt.Sprintf("summary.%d", i)), ts.MkAbs(fmt.Sprintf("step.%d", i))
		ts.Check(os.WriteFile(summary, nil, 0o600))
		ts.Check(os.WriteFile(script, []byte(s.Run), 0o600))
		ts.Setenv("GITHUB_STEP_SUMMARY", summary)
		setenv(ts, s.Env)
		failed = ts.Exec(shell, "-e", script) != nil || failed
		summaries.WriteString(ts.ReadFile(summary))
		printed.WriteString(ts.ReadFile("stdout") + ts.ReadFile("stderr"))
	}
	ts.Setenv("GITHUB_ACTIONS", "")
	ts.Check(os.WriteFile(ts.MkAbs("summary"), []byte(summaries.String()), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("printed"), []byte(printed.String()), 0o600))
	judge(ts, neg, failed)
}

// gitlab runs the script of a job as the runner does, in one shell: gitlab FILE JOB. Its artifacts must be there. It
// fails if the job does.
func gitlab(ts *testscript.TestScript, neg bool, args []string) {
	jobs := make(map[string]struct {
		Variables map[string]string
		Script    []string
		Artifacts struct {
			Paths   []string
			Reports map[string]string
		}
	})
	ts.Check(yaml.Unmarshal([]byte(ts.ReadFile(args[0])), &jobs))
	job, there := jobs[args[1]]
	if !there {
		ts.Fatalf("no job %q", args[1])
	}
	setenv(ts, job.Variables)
	setenv(ts, map[string]string{"GITLAB_CI": "true", "CI_PROJECT_DIR": ts.MkAbs(".")})
	failed := ts.Exec("bash", "-eo", "pipefail", "-c", strings.Join(job.Script, "\n")) != nil
	present(ts, "artifacts", job.Artifacts.Paths)
	for kind, file := range job.Artifacts.Reports {
		present(ts, kind, []string{file})
	}
	judge(ts, neg, failed)
}

func setenv(ts *testscript.TestScript, env map[string]string) {
	for name, value := range env {
		ts.Setenv(name, value)
	}
}

func present(ts *testscript.TestScript, who string, files []string) {
	for _, file := range files {
		if info, err := os.Stat(ts.MkAbs(file)); err != nil || info.Size() == 0 {
			ts.Fatalf("%s finds nothing in %s: %v", who, file, err)
		}
	}
}

func judge(ts *testscript.TestScript, neg, failed bool) {
	if failed != neg {
		ts.Fatalf("the job failed: %v", failed)
	}
}

// TestEveryBlockIsRun holds that no snippet of the pages is left out of the scripts, except for those that a cluster
// with Slurm runs (testkit/hosted).
func TestEveryBlockIsRun(t *testing.T) {
	found, err := blocks()
	if err != nil {
		t.Fatal(err)
	}
	fences := 0
	for _, file := range []string{ciPage, pytestPage, dumpPage} {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		fences += strings.Count(string(page), "\n```") / 2
	}
	if len(found) != fences {
		t.Errorf("%d of %d blocks of %s, %s and %s begin with a name of a file of their own", len(found), fences, ciPage,
			pytestPage, dumpPage)
	}
	var run []string
	for _, file := range []string{"testdata/ci.txtar", "testdata/pytest.txtar", "testdata/timelimit.txtar",
		"../../internal/test/testkit/hosted/snippets_test.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		run = append(run, strings.FieldsFunc(string(text), func(r rune) bool {
			return unicode.IsSpace(r) ||
				r == '"'
		})...)
	}
	for name := range found {
		if !slices.Contains(run, name) {
			t.Errorf("no test runs %s of %s, %s or %s", name, ciPage, pytestPage, dumpPage)
		}
	}
}

// TestWorkflowsAreValid has actionlint read what the pages show for GitHub, and holds what they show for GitLab to its
// schema.
func TestWorkflowsAreValid(t *testing.T) {
	found, err := snippets.Of(ciPage)
	if err != nil {
		t.Fatal(err)
	}
	lint := exec.Command("go", "tool", "-modfile=../../tools/go.mod", "actionlint", "-shellcheck=", "-pyflakes=", "-")
	lint.Stdin = strings.NewReader(found[".github/workflows/mpi.yml"])
	if out, err := lint.CombinedOutput(); err != nil {
		t.Errorf("actionlint: %v\n%s", err, out)
	}
	schema, err := jsonschema.NewCompiler().Compile("testdata/gitlab-ci-schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var settings any
	if err := yaml.Unmarshal([]byte(found[".gitlab-ci.yml"]), &settings); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Error(err)
	}
}
