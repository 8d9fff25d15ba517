package finding

import (
	"strings"
	"testing"
)

// catalogued is a catalogue with the codes that the rules name.
var catalogued = Catalogue{{Code: "buffer-overlap"}, {Code: "deadlock"}}

func TestKnownFindingsHaveALibraryAReasonAndNarrowRules(t *testing.T) {
	list, err := KnownFindings(catalogued)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Error("there are none")
	}
	for _, k := range list {
		if !strings.HasPrefix(k.Library, "lib") || !strings.HasSuffix(k.Reason, ".") {
			t.Errorf("%q is no library, or %q no reason", k.Library, k.Reason)
		}
		for _, r := range k.rules {
			if r.code == "" || strings.Trim(r.file, "*?") == "" || strings.Trim(r.function, "*?") == "" {
				t.Errorf("%s: not narrow", r.text)
			}
		}
	}
}

func TestKnownFindingsOfScaLAPACK(t *testing.T) {
	list, err := KnownFindings(catalogued)
	if err != nil {
		t.Fatal(err)
	}
	const library = "/usr/lib/libscalapack-openmpi.so.2.2.1"
	at := func(module, function string) Frame { return Frame{Module: module, Function: function, Offset: 4} }
	for _, x := range []struct {
		what    string
		code    Code
		call    Frame
		related []Frame
		want    bool
	}{
		{"a combine", "buffer-overlap", at(library, "BI_TreeComb"), []Frame{at(library, "BI_Arecv")}, true},
		{"one with debug information", "buffer-overlap", Frame{File: "/b/BLACS/SRC/BI_BeComb.c", Line: 75,
			Function: "BI_BeComb"}, []Frame{{File: "/b/BI_Arecv.c", Function: "BI_Arecv"}}, true},
		{"another code", "deadlock", at(library, "BI_TreeComb"), []Frame{at(library, "BI_Arecv")}, false},
		{"another library", "buffer-overlap", at("/usr/lib/libother.so", "BI_TreeComb"),
			[]Frame{at(library, "BI_Arecv")}, false},
		{"another function", "buffer-overlap", at(library, "BI_Rsend"), []Frame{at(library, "BI_Arecv")}, false},
		{"a receive of the program", "buffer-overlap", at(library, "BI_TreeComb"),
			[]Frame{{File: "main.c", Function: "main", Line: 3}}, false},
		{"nothing about the other call", "buffer-overlap", at(library, "BI_TreeComb"), nil, false},
	} {
		f := &Finding{Code: x.code, Places: []Place{{Frame: x.call}}, Related: x.related}
		got := false
		for _, k := range list {
			_, ok := k.Match(f)
			got = got || ok
		}
		if got != x.want {
			t.Errorf("%s: left out %v, want %v", x.what, got, x.want)
		}
	}
}

func TestBlocksOfKnownFindings(t *testing.T) {
	for text, want := range map[string]string{
		"# about\n\n# libx: because.\nbuffer-overlap:libx.so:f\n":       "",
		"# about\n\n# libx because.\nbuffer-overlap:libx.so:f\n":        "lacks",
		"# about\n\n# libx: because.\n":                                 "lacks",
		"# about\n\n# libx: because.\nbufer-overlap:libx.so:f\n":        `libx:1: unknown code "bufer-overlap"`,
		"# about\n\n# libx: because.\nbuffer-overlap:libx.so:f with [a": `libx:1: bad function pattern "[a"`,
	} {
		_, err := parseKnown(text, catalogued)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
