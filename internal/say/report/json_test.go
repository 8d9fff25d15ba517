package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"unknot/internal/vocab/finding"
)

const (
	schemaFile = "../../../docs/findings-1.schema.json"
	schemaDoc  = "../../../docs/json.md"
	// schemaDocs are pages below it, with some of its sections.
	schemaDocs = "../../../docs/json/*.md"
)

func jsonText(t *testing.T, run *finding.Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := JSON(&b, run); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestJSONGolden(t *testing.T) {
	for _, name := range []string{"recv-recv", "unsafe", "died", "mismatch", "nothing", "story", "race",
		"hostile", "history"} {
		golden(t, name+".json", jsonText(t, fixtures()[name]))
	}
}

func TestJSONRoundTrip(t *testing.T) {
	for name, run := range fixtures() {
		first := jsonText(t, run)
		back, err := ReadJSON(bytes.NewReader(first))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again, err := ReadJSON(bytes.NewReader(jsonText(t, back)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(back, again); diff != "" {
			t.Errorf("%s: it comes back with (- written, + read):\n%s", name, diff)
		}
	}
}

// TestWholeKeepsWhatFolds: what explore reads of a run is folded as the run itself folds it; the user's document has
// the words only.
func TestWholeKeepsWhatFolds(t *testing.T) {
	run := fixtures()["big-ring"]
	var whole bytes.Buffer
	if err := Whole(&whole, run); err != nil {
		t.Fatal(err)
	}
	back, err := ReadJSON(&whole)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(normal(run), back); diff != "" {
		t.Errorf("(- written, + read):\n%s", diff)
	}
	back, err = ReadJSON(bytes.NewReader(jsonText(t, run)))
	if err != nil {
		t.Fatal(err)
	}
	if m := back.Findings[0].Meanings(); m != nil {
		t.Errorf("the user's document has the meaning of %d places", len(m))
	}
}

func TestReadJSONErrors(t *testing.T) {
	good := string(jsonText(t, unsafeSends()))
	for input, want := range map[string]string{
		"":                               "before the document is complete",
		good[:len(good)/2]:               "before the document is complete",
		good + "{}":                      "data follows the document",
		"[]":                             "not a document of schema unknot.findings/1",
		`{"schema":"x/2"}`:               "its schema is not unknot.findings/1",
		`{"schema":"unknot.findings/2"}`: `schema is "unknot.findings/2", expected "unknot.findings/1"`,
		"not json":                       "not a document",
		strings.Replace(good, `"severity": "warning"`, `"severity": "dire"`, 1): `findings[0].severity is "dire"`,
	} {
		if _, err := ReadJSON(strings.NewReader(input)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q…: %v, want %s", input, err, want)
		}
	}
	newer := strings.Replace(good, `"schema"`, `"a_later_field": [1], "schema"`, 1)
	if _, err := ReadJSON(strings.NewReader(newer)); err != nil {
		t.Errorf("an unknown field is refused: %v", err)
	}
}

// TestAHistoryThatCannotBeIsRefused changes one number of a good one, each in a way that the picture could not be made
// of.
func TestAHistoryThatCannotBeIsRefused(t *testing.T) {
	good := string(jsonText(t, gridFixture()))
	for _, c := range []struct{ old, wrong, want string }{
		{`"kept":256`, `"kept":0`, `history.kept is 0, expected 1 or more`},
		{`"steps":[2,3,0]`, `"steps":[2,3,999]`, `history.threads[0].steps[2] is 999, expected 0 to 129`},
		{`{"rank":5,`, `{"rank":64,`, `history.threads[5].rank is 64, expected 0 to 63`},
		{`"messages":[[63,0,0,1]`, `"messages":[[63,0,0,3]`,
			`history.messages[0] is [63 0 0 3], expected threads and steps that are here`},
		{`"messages":[[63,0,0,1]`, `"messages":[[-1,0,0,1]`, `history.messages[0] is [-1 0 0 1]`},
		{`"waits":"all"`, `"waits":"long"`, `history.collectives[0].waits is "long", expected one of`},
		{`"members":[[0,2]`, `"members":[[64,2]`, `history.collectives[0].members[0] is [64 2]`},
		{`"open":true`, `"open":true,"repeats":[{"after":3,"times":1,"calls":1}]`,
			`history.threads[0].repeats[0].after is 3, expected the place of a step`},
		{"\"dims\": [\n        4,", "\"dims\": [\n        5,",
			`topologies[0].ranks has 64 entries, expected as many as dims [5 4 4] have places`},
		{"\"dims\": [\n        4,", "\"dims\": [\n        4611686018427387904,",
			`topologies[0].dims[0] is 4611686018427387904, expected 1 to 64`},
		{"\"periodic\": [\n        true,", "\"periodic\": [",
			`topologies[0].periodic has 2 entries, expected one for each of the 3 dimensions`},
	} {
		bad := strings.Replace(good, c.old, c.wrong, 1)
		if bad == good {
			t.Errorf("%s is not there", c.old)
		}
		if _, err := ReadJSON(strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.wrong, err, c.want)
		}
	}
}

func FuzzReadJSON(f *testing.F) {
	f.Add(
		[]byte(
			`{"schema":"unknot.findings/1","ranks":2,"findings":[],"topologies":[{"name":"g","dims":[2],"periodic":[true],"ranks":[1,0]}],"history":{"kept":1,"calls":[{"call":"MPI_Send"}],"threads":[{"rank":0,"steps":[0,0],"repeats":[{"after":0,"times":2,"calls":18446744073709551615}]},{"rank":1,"steps":[0],"open":true}],"messages":[[0,1,1,0],[1,0,0,1],[0,0,0,0]],"collectives":[{"waits":"lower","members":[[0,0],[1,0]]},{"waits":"from root","root":1,"members":[[0,1],[1,0]]}]}}`))
	f.Add(
		[]byte(
			`{"schema":"unknot.findings/1","ranks":1,"findings":[{"code":"deadlock","severity":"error","standing":"manifest","sentence":"s","count":1,"ranks":[0],"places":[{"rank":0,"state":"blocked","waits_for":[0],"args":"rank 99999999999999999999"}]}]}`))
	f.Add(
		[]byte(
			`{"schema":"unknot.findings/1","ranks":1,"findings":[{"code":"deadlock","severity":"error","standing":"manifest","sentence":"s","count":1,"ranks":[0],"places":[{"rank":0,"state":"blocked","waits_for":[0],"args":"rank 9"}]}],"meanings":[[{"args":[{"at":5,"rank":9},{"at":-7,"rank":3}],"reason":[{"at":1,"rank":0}]}],[{}]]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		run, err := ReadJSON(bytes.NewReader(b))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := Terminal(&out, run, TerminalOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := HTML(&out, run, HTMLOptions{}); err != nil {
			t.Fatal(err)
		}
	})
}

// schema is the part of JSON Schema that docs/findings-1.schema.json uses; an unknown keyword fails to decode.
type schema struct {
	Draft       string            `json:"$schema"`
	ID          string            `json:"$id"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Ref         string            `json:"$ref"`
	Type        string            `json:"type"`
	Const       any               `json:"const"`
	Enum        []any             `json:"enum"`
	Minimum     *float64          `json:"minimum"`
	MinLength   int               `json:"minLength"`
	Format      string            `json:"format"`
	Items       *schema           `json:"items"`
	Properties  map[string]schema `json:"properties"`
	Required    []string          `json:"required"`
	Defs        map[string]schema `json:"$defs"`
}

func readSchema(t *testing.T) *schema {
	t.Helper()
	b, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var s schema
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// check says where v breaks s.
func (s *schema) check(root *schema, at string, v any) error {
	if s.Ref != "" {
		def, ok := root.Defs[strings.TrimPrefix(s.Ref, "#/$defs/")]
		if !ok {
			return fmt.Errorf("%s: no definition %s", at, s.Ref)
		}
		return def.check(root, at, v)
	}
	if s.Const != nil && v != s.Const || s.Enum != nil && !slices.Contains(s.Enum, v) {
		return fmt.Errorf("%s: %v is not allowed", at, v)
	}
	ok := false
	switch v := v.(type) {
	case string:
		ok = s.Type == "string" && len(v) >= s.MinLength
	case bool:
		ok = s.Type == "boolean"
	case float64:
		ok = (s.Type == "number" || s.Type == "integer" && v == float64(int64(v))) &&
			(s.Minimum == nil || v >= *s.Minimum)
	case []any:
		ok = s.Type == "array"
		for i, e := range v {
			if err := s.Items.check(root, fmt.Sprintf("%s[%d]", at, i), e); err != nil {
				return err
			}
		}
	case map[string]any:
		ok = s.Type == "object"
		for _, r := range s.Required {
			if _, have := v[r]; !have {
				return fmt.Errorf("%s: %s is missing", at, r)
			}
		}
		for name, e := range v {
			p, have := s.Properties[name]
			if !have {
				return fmt.Errorf("%s: %s is not in the schema", at, name)
			}
			if err := p.check(root, at+"."+name, e); err != nil {
				return err
			}
		}
	}
	if !ok {
		return fmt.Errorf("%s: %v is not a valid %s", at, v, s.Type)
	}
	return nil
}

func TestOutputFollowsTheSchema(t *testing.T) {
	s := readSchema(t)
	for name, run := range fixtures() {
		var v any
		if err := json.Unmarshal(jsonText(t, run), &v); err != nil {
			t.Fatal(err)
		}
		if err := s.check(s, "run", v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// tags lists the JSON names of a struct and whether they are always written; embedded structs count as inline.
func tags(typ reflect.Type) map[string]bool {
	out := make(map[string]bool)
	for f := range typ.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			for n, always := range tags(f.Type) {
				out[n] = always
			}
		case name != "" && name != "-":
			out[name] = !strings.Contains(options, "omitempty")
		}
	}
	return out
}

func TestSchemaAndDocumentationNameEveryField(t *testing.T) {
	s := readSchema(t)
	below, err := filepath.Glob(schemaDocs)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, page := range append(below, schemaDoc) {
		one, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(one)
	}
	for section, typ := range map[string]reflect.Type{
		"run": reflect.TypeFor[finding.Run](), "finding": reflect.TypeFor[finding.Finding](),
		"place": reflect.TypeFor[finding.Place](),
		"frame": reflect.TypeFor[finding.Frame](), "event": reflect.TypeFor[finding.Event](),
		"moment":   reflect.TypeFor[finding.Moment](),
		"topology": reflect.TypeFor[finding.Topology](), "history": reflect.TypeFor[finding.History](),
		"past_call": reflect.TypeFor[finding.PastCall](),
		"track":     reflect.TypeFor[finding.Track](), "repeat": reflect.TypeFor[finding.Repeat](),
		"collective": reflect.TypeFor[finding.Collective](),
	} {
		def := *s
		if section != "run" {
			def = s.Defs[section]
		}
		want := tags(typ)
		if section == "run" || section == "finding" { // their language has a key for each but MPI
			want["upc"], want["shmem"] = false, false
		}
		_, part, ok := strings.Cut(text.String(), "# "+section+"\n")
		if !ok {
			t.Errorf("%s has no section %q", schemaDoc, section)
		}
		part, _, _ = strings.Cut(part, "\n#")
		described := regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(part, -1)
		if len(described) != len(want) {
			t.Errorf("%s: section %s describes %d fields, the struct has %d", schemaDoc, section,
				len(described), len(want))
		}
		for name, always := range want {
			if !slices.ContainsFunc(described, func(m []string) bool { return m[1] == name }) {
				t.Errorf("%s: section %s does not describe %s", schemaDoc, section, name)
			}
			if _, have := def.Properties[name]; !have {
				t.Errorf("%s: %s has no property %s", schemaFile, section, name)
			}
			if slices.Contains(def.Required, name) != always {
				t.Errorf("%s: %s.%s: always written is %v, required is %v", schemaFile, section, name, always, !always)
			}
		}
		for name := range def.Properties {
			if _, have := want[name]; !have {
				t.Errorf("%s: %s.%s is not in the struct", schemaFile, section, name)
			}
		}
	}
}
