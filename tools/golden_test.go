package tools

import (
	"encoding/json"
	"mcp-memory/internal/golden"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// snapshots compares every tool of a fleet with testdata/dir/NAME.json.
func snapshots(t *testing.T, f Fleet, dir string) {
	t.Helper()
	for _, spec := range f.Specs() {
		data, err := f.Snapshot(spec.Name)
		if err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, "testdata/"+dir+"/"+spec.Name+".json", data)
	}
}

// fits fails the test unless data satisfies schema, by the book.
func fits(t testing.TB, schema, data []byte) {
	t.Helper()
	var read jsonschema.Schema
	if err := json.Unmarshal(schema, &read); err != nil {
		t.Fatal(err)
	}
	resolved, err := read.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatalf("%v in\n%s", err, schema)
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(value); err != nil {
		t.Errorf("%v\n%s\ndoes not fit\n%s", err, data, schema)
	}
}

// portable fails the test if a schema uses what some hosts cannot read.
func portable(t *testing.T, schema []byte) {
	t.Helper()
	var walk func(path string, node any)
	walk = func(path string, node any) {
		switch n := node.(type) {
		case map[string]any:
			if kind, ok := n["type"]; ok && !strings.HasSuffix(path, "/properties") {
				if _, isString := kind.(string); !isString {
					t.Errorf("%s has the type %v", path, kind)
				}
			}
			for key, value := range n {
				if strings.HasPrefix(key, "$") || key == "anyOf" || key == "oneOf" || key == "allOf" {
					t.Errorf("%s has %s", path, key)
				}
				walk(path+"/"+key, value)
			}
		case []any:
			for _, value := range n {
				walk(path+"/", value)
			}
		}
	}
	var doc any
	if err := json.Unmarshal(schema, &doc); err != nil {
		t.Fatal(err)
	}
	walk("", doc)
}
