package remarks

import (
	"reflect"
	"testing"
)

func TestRemarksOfEachLanguageAreRead(t *testing.T) {
	source := "/* run: -n 3 --check=x */\nf(); // want: a text\ncall g ! note: another one\n# also: a b\n/* " +
		"want-mpich: more */ h();\n/* nothing: at all */\n"
	want := []Remark{{1, "run", "-n 3 --check=x"}, {2, "want", "a text"}, {3, "note", "another one"},
		{4, "also", "a b"}, {5, "want-mpich", "more"}}
	if got := In(source); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestJobsAreRead(t *testing.T) {
	for text, want := range map[string]struct {
		ranks   string
		options []string
	}{
		"-n 3 --check=x": {"3", []string{"--check=x"}},
		"-n4":            {"4", nil},
		"--no-check=all": {"", []string{"--no-check=all"}},
	} {
		if ranks, options := Job(text); ranks != want.ranks || !reflect.DeepEqual(options, want.options) {
			t.Errorf("%q: %q, %q, want %+v", text, ranks, options, want)
		}
	}
}
