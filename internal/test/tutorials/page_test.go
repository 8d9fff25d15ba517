package tutorials

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestAPageIsReadAsItSays(t *testing.T) {
	const page = "# A page\n\n```c\n// a/b.c\nint x;\n```\n\n<!-- may vary: ^[0-9] -->\n```console\n$ one\n1\nso\n$ two\n```\n" +
		"\n```text\nno file\n```\n"
	found, err := blocks(strings.Split(page, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 3 || found[0].file() != "a/b.c" || found[2].file() != "" || found[0].varies != nil {
		t.Fatalf("the blocks are %+v", found)
	}
	console := found[1]
	steps, err := console.steps()
	if err != nil {
		t.Fatal(err)
	}
	if len(steps) != 2 || steps[0].command != "one" || !slices.Equal(steps[0].prints, []string{"1", "so"}) ||
		steps[1].command != "two" || steps[1].prints != nil {
		t.Errorf("the commands are %+v", steps)
	}
	for output, want := range map[string]bool{"2\nso": true, "so": true, "1\nno": false} {
		if got := same(steps[0].prints, strings.Split(output, "\n"), console.varies); got != want {
			t.Errorf("%q is as written: %v, want %v", output, got, want)
		}
	}
	if _, err := blocks([]string{"```c", "int x;"}); err == nil {
		t.Error("a block without an end is none")
	}
	if _, err := (block{lines: []string{"output"}}).steps(); err == nil {
		t.Error("output without a command is accepted")
	}
}

func TestADiffChangesOnePlace(t *testing.T) {
	const text = "a\nb\nb\nc\n"
	for diff, want := range map[string]string{
		"-a\n+d":            "d\nb\nb\nc\n",
		" b\n-c":            "a\nb\nb\n",
		"-a\n@@\n c\n+d":    "b\nb\nc\nd\n",
		"-b":                "",
		"-e":                "",
		"+e":                "",
		" a\n-b\n+d\n b":    "a\nd\nb\nc\n",
		" a\n b\n b\n c\n+": "a\nb\nb\nc\n\n",
	} {
		got, err := apply(text, strings.Split(diff, "\n"))
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q gives %q, %v; want %q", diff, got, err, want)
		}
	}
	if !same([]string{"x 1"}, []string{"x 2"}, regexp.MustCompile("^x")) {
		t.Error("a line that may vary is compared")
	}
}
