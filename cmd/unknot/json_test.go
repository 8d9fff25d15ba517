package main

import (
	"bytes"
	"context"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestDocumentsFollowTheirSchemas holds what commands print as JSON to the schemas in docs.
func TestDocumentsFollowTheirSchemas(t *testing.T) {
	for schema, args := range map[string][]string{
		"doctor": {"doctor", "--json"}, "checks": {"checks", "--json", "--no-check", "leaks"},
		"known": {"checks", "--suppressions", "--json"}, "codes": {"explain", "--json"},
	} {
		compiled, err := jsonschema.NewCompiler().Compile("../../docs/" + schema + "-1.schema.json")
		if err != nil {
			t.Fatal(err)
		}
		var out, complaints bytes.Buffer
		if status := dispatch(context.Background(), args, &out, &complaints); status != 0 {
			t.Errorf("%v: exit status %d\n%s", args, status, complaints.String())
		}
		document, err := jsonschema.UnmarshalJSON(&out)
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		if err := compiled.Validate(document); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
}
