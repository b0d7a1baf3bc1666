package slots

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// TestReadAgain: what is kept is what was read, whatever a caller does with his
// list, and for the same text only.
func TestReadAgain(t *testing.T) {
	const text = "I moved from Oslo to Bergen, and my sister lives in Lyon."
	want := read(text, Options{})
	if len(want) < 2 {
		t.Fatalf("%+v", want)
	}
	for range 3 {
		got := Read(text, Options{})
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, want %+v", got, want)
		}
		clear(got)
	}
	named := Options{UserNames: []string{"Ruben"}}
	if Read("Ruben lives in Graz.", Options{})[0].Subject != "ruben" || Read("Ruben lives in Graz.", named)[0].Subject != User {
		t.Error("whose name it is makes no difference")
	}
	for _, text := range []string{strings.Repeat(text+" ", 20), strings.Repeat("I like tea. ", 9)} {
		Read(text, Options{})
		if _, found := kept.get(text); found {
			t.Errorf("%d bytes and %d statements are kept", len(text), len(read(text, Options{})))
		}
	}
}

// TestForgets: memory is bounded, and what is asked for again stays longest.
func TestForgets(t *testing.T) {
	m := memo{young: map[string][]Statement{}}
	m.add("again", []Statement{{Value: "x"}})
	for i := range 5 * keptTexts {
		m.add(fmt.Sprint(i), nil)
		if _, ok := m.get("again"); !ok {
			t.Fatalf("forgotten after %d", i)
		}
	}
	if _, ok := m.get("0"); ok || len(m.young)+len(m.old) > 2*keptTexts {
		t.Errorf("%d and %d are kept", len(m.young), len(m.old))
	}
}
