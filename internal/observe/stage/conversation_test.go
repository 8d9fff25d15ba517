package stage

import (
	"strings"
	"testing"
	"time"
)

// patient is how long a script of this test may take to say a line.
const patient = time.Minute

// TestAHostHearsAndSaysLines has this one do so.
func TestAHostHearsAndSaysLines(t *testing.T) {
	c, err := Shell{}.Talk(t.Context(), Here, `echo "a greeting"; echo "unknot:$1"; read line; echo "unknot:heard $line"; cat;`,
		"it's here")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"it's here", "heard two words"} {
		if line, err := c.Hear(patient); err != nil || line != want {
			t.Fatalf("%q, %v, want %q", line, err, want)
		}
		if err := c.Say("two words"); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.End(); err != nil { // cat has come to the end of its input
		t.Error(err)
	}
}

// TestWhyAHostSaysNoMoreIsKnown has scripts that end, say nothing, or never answer.
func TestWhyAHostSaysNoMoreIsKnown(t *testing.T) {
	for _, c := range []struct {
		script, want string
		within       time.Duration
	}{
		{`echo "unknot:one"; echo "unknot: no such command" >&2; exit 2;`, "has stopped answering: unknot: no such command", patient},
		{`echo "unknot:one"; exit 2;`, "has stopped answering: exit status 2", patient},
		{`echo "unknot:one"; exec sleep 1000;`, "did not answer within 1ms", time.Millisecond},
	} {
		talk, err := Shell{}.Talk(t.Context(), Here, c.script)
		if err != nil {
			t.Fatal(err)
		}
		if line, err := talk.Hear(patient); err != nil || line != "one" {
			t.Fatalf("%q, %v", line, err)
		}
		if _, err := talk.Hear(c.within); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
		talk.End()
	}
	talk, err := Shell{}.Talk(t.Context(), Here, "exit 3")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := talk.Hear(patient); err == nil || err.Error() != "exit status 3" {
		t.Errorf("%v", err)
	}
}
