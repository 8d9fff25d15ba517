package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// subjectsSince is the last commit whose message was not held to .githooks/commit-msg.
const subjectsSince = "af4235b409ed15f9085e241f276906221864c027"

// TestCommitsSayWhatAndWhy has the repository's hook judge the messages since then, as nobody is made to use it. In a
// copy without git, or with too little of the history, there is nothing to judge.
func TestCommitsSayWhatAndWhy(t *testing.T) {
	if err := exec.Command("git", "-C", root, "merge-base", "--is-ancestor", subjectsSince, "HEAD").Run(); err != nil {
		t.Skipf("%s is not in the history here: %v", subjectsSince, err)
	}
	list, err := exec.Command("git", "-C", root, "log", "--no-merges", "--format=%H", subjectsSince+"..HEAD").Output()
	if err != nil {
		t.Fatalf("git log: %v", err)
	}
	for commit := range strings.FieldsSeq(string(list)) {
		message, err := exec.Command("git", "-C", root, "log", "-1", "--format=%B", commit).Output()
		if err != nil {
			t.Fatalf("git log -1 %s: %v", commit, err)
		}
		if answer, ok := judge(t, string(message)); !ok {
			t.Errorf("%.10s: %s", commit, answer)
		}
	}
}

func TestTheHookJudgesMessages(t *testing.T) {
	const subject = "agent: ranks that sleep are counted"
	for message, want := range map[string]string{
		subject + "\n\nThe root waited for them.\n":                              "",
		"agent, upc/rt: two rooms\n\nWhy.\n":                                     "",
		subject + "\n\nWhy.\n\nReported-by: Ada\n":                               "",
		subject + "\n\n# a comment of git\nWhy.\n":                               "",
		"Merge branch 'main'\n":                                                  "",
		"Ranks that sleep are counted\n\nWhy.\n":                                 "names no room",
		subject + "\n":                                                           "no body",
		subject + "\n\n# only a comment of git\n":                                "no body",
		subject + "\n\nReported-by: Ada\n":                                       "no body",
		subject + "\nWhy.\n":                                                     "second line",
		"agent: " + strings.Repeat("é", 65) + "\n\nWhy.\n":                       "",
		"agent: " + strings.Repeat("é", 66) + "\n\nWhy.\n":                       "72 columns",
		subject + "\n\nWhy.\n# ------------------------ >8 ------\ndiff --git\n": "",
	} {
		answer, ok := judge(t, message)
		if ok != (want == "") || !strings.Contains(answer, want) {
			t.Errorf("of %q the hook says %q, want %q", message, answer, want)
		}
	}
}

// judge runs the hook on a message.
func judge(t *testing.T, message string) (answer string, ok bool) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "message")
	if err := os.WriteFile(file, []byte(message), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(root+"/.githooks/commit-msg", file).CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return string(out), err == nil
}
