package supervise

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"unknot/internal/agent"
)

func TestAgentsReadTheOptionsOfTheirSession(t *testing.T) {
	dir := t.TempDir()
	want := agent.Options{Session: dir, Distribution: agent.Distribution{RanksPerAgent: 3}, Sends: "strict",
		Command: []string{"mpirun", "a b"}}
	if err := (Internal{Agent: &want}).Write(filepath.Join(dir, internalName)); err != nil {
		t.Fatal(err)
	}
	if got, err := AgentOptions(dir); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
}

func TestARunTakesInternalOptionsOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "options")
	if err := (Internal{Run: &Inner{Whole: true, Heed: "2", Meet: "/m"}}).Write(path); err != nil {
		t.Fatal(err)
	}
	t.Setenv(EnvInternal, path)
	var first, second Options
	for _, o := range []*Options{&first, &second} {
		if err := o.TakeInternal(); err != nil {
			t.Fatal(err)
		}
	}
	if !first.Whole || first.Heed != "2" || first.Races.Meet != "/m" {
		t.Errorf("the run has %v, %q, %q", first.Whole, first.Heed, first.Races.Meet)
	}
	if second.Whole || os.Getenv(EnvInternal) != "" {
		t.Errorf("the variable is left for the program: %q", os.Getenv(EnvInternal))
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the file is left: %v", err)
	}
}

func TestInternalOptionsThatCannotBeUsedAreNamed(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, internalName)
	for text, want := range map[string]string{
		`{"version":0,"agent":[]}`: "has internal options of version 0, expected 1; hint: another unknot was installed " +
			"while this one ran: start it again",
		`{"version":1}`: "has no options of an agent",
		`{"version":`:   "unexpected end of JSON input",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := AgentOptions(dir); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
