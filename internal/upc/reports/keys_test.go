package reports

import (
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestProgramsAndReaderHaveTheSameKeys compares the keys that the run-times write with those that are read.
func TestProgramsAndReaderHaveTheSameKeys(t *testing.T) {
	read := map[string]bool{}
	var note func(of reflect.Type)
	note = func(of reflect.Type) {
		for of.Kind() == reflect.Slice || of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct {
			return
		}
		for i := range of.NumField() {
			f := of.Field(i)
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
				read[name] = true
			}
			note(f.Type)
		}
	}
	note(reflect.TypeFor[metLine]())
	written := map[string]bool{}
	for path, pattern := range map[string]string{
		"../rt/check/json.upc": `(?:add_name|add_text|add_number)\("([a-z]+)"|\\"([a-z]+)\\":`,
		"../rt/c/watched.c":    `\\"([a-z]+)\\":`,
	} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
			written[m[1]+strings.Join(m[2:], "")] = true
		}
	}
	written["stop"] = true      // layout.StopEnd
	delete(written, "standing") // for readers of UNKNOT_UPC_REPORT: it is always the same
	if !maps.Equal(read, written) {
		t.Errorf("read are %q, written are %q", slices.Sorted(maps.Keys(read)), slices.Sorted(maps.Keys(written)))
	}
}
