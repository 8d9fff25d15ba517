package records

import (
	"strings"
	"testing"
)

func TestWordsHaveTheirPlaces(t *testing.T) {
	table, err := Parse("# a comment\nState\tvalues\tIs\thow it is\n\tNew\t0x100\tnot old\n" +
		"Pair\tkind 5\t-\ttwo\n\tcount\tword\tso many\n" +
		"Made\tdata 7\tMade\tsome\n\ttag_ub\tnumber\tone\n\twhole\trange\ttwo\n\tname\tstring\tmany\n\tlast\tState\tone\n")
	if err != nil {
		t.Fatal(err)
	}
	list := table.Records
	if len(list) != 2 || list[0].GoName() != "Pair" || list[1].CName() != "UK_DATA_MADE" || list[1].Number != 7 {
		t.Fatalf("records %+v", list)
	}
	var at []int
	for _, f := range list[1].Fields {
		at = append(at, f.At)
	}
	if list[1].Fixed() != 4 || len(at) != 4 || at[0] != 0 || at[1] != 1 || at[2] != 3 || at[3] != -1 {
		t.Errorf("%d words have an index, fields begin at %v; want 4, [0 1 3 -1]", list[1].Fixed(), at)
	}
	files, err := Files(table)
	if err != nil {
		t.Fatal(err)
	}
	for path, wants := range map[string][]string{
		"internal/observe/ring/records.h": {"#define UK_IS_NEW 0x100u\n", "#define UK_PAIR 0x5u\n",
			"#define UK_DATA_MADE_TAG_UB 0u\n",
			"#define UK_DATA_MADE_WHOLE_TO 2u\n", "#define UK_DATA_MADE_NAME 3u\n", "#define UK_DATA_MADE_FIXED 4u\n"},
		"internal/observe/ring/records.go":   {"IsNew State = 256\n", "DataMade DataID = 7\n", "DataMadeWholeFrom = 1\n"},
		"internal/observe/decode/records.go": {"func ReadMade(v []uint64) Made {\n", "Last:  ring.State(w.next()),\n"},
		"docs/records.md":                    {"| 3 | `name` | `string` | many |\n|  | `last` | `State` | one |\n"},
	} {
		for _, want := range wants {
			if !strings.Contains(files[path], want) {
				t.Errorf("%s does not have %q:\n%s", path, want, files[path])
			}
		}
	}
}

func TestABrokenTableIsNamed(t *testing.T) {
	for table, want := range map[string]string{
		"A\tkind 1\t-\n":                                              "records.tsv:1: 3 columns",
		"\tcount\tword\tso many\n":                                    "records.tsv:1: field count stands before any record",
		"A\tvalues\t-\tx\n\tB\tone\tx\n":                              "constant B of A: \"one\" is no number",
		"A\tkind one\t-\tx\n":                                         "expected kind or data and a number",
		"A\tkind 1\t-\tx\n\tb\tthing\ty\n":                            "records.tsv:2: field b of A: type \"thing\"",
		"A\tdata 1\trows\tx\n\tb\tstring\ty\n":                        "has no fixed length, but the fields repeat",
		"A\tdata 1\t-\tx\nB\tdata 1\t-\tx\n":                          "records A and B have one number",
		"Made\tdata 1\t-\tx\n\tend\tword\ty\nMadeEnd\tdata 2\t-\tx\n": "UK_DATA_MADE_END of record MadeEnd is one of record Made too",
	} {
		if _, err := Parse(table); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", table, err, want)
		}
	}
}
