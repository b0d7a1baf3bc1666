package main

import (
	"os"
	"strings"
	"testing"
)

// The page says what was measured: no figure of its tables is typed by hand.
func TestPageIsCurrent(t *testing.T) {
	m, err := read("../results")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../" + page)
	if err != nil {
		t.Fatal(err)
	}
	written, err := fill(string(text), m.tables())
	if err != nil {
		t.Fatal(err)
	}
	if written != string(text) {
		t.Errorf("%s is not what eval/results says: go run ./eval/tables", page)
	}
}

func TestFill(t *testing.T) {
	got, err := fill("a\n<!-- table: x -->\nold\n<!-- end -->\nb", map[string]string{"x": "new\n"})
	if want := "a\n<!-- table: x -->\nnew\n<!-- end -->\nb"; got != want || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for text, tables := range map[string]map[string]string{
		"<!-- table: x -->\n<!-- end -->": {},
		"<!-- table: x -->\n":             {"x": ""},
		"none":                            {"x": ""},
	} {
		if _, err := fill(text, tables); err == nil || !strings.Contains(err.Error(), "x") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
