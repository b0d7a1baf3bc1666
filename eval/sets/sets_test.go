package sets

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Names are texts, but some sets write them as numbers.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a"+CorpusSuffix, `{"case":7,"id":"D1","session":2,"speaker":"Ann","seq":3,"text":"Hi","more":1}`+"\n")
	write(t, dir, "a"+QueriesSuffix, `{"case":7,"qid":12,"category":"when","question":"Who?","gold_ids":["D1",4]}`+"\n")
	items, err := Items(dir, "a")
	if want := []Item{{Case: "7", ID: "D1", Session: "2", Speaker: "Ann", Seq: 3, Text: "Hi"}}; err != nil ||
		!reflect.DeepEqual(items, want) {
		t.Errorf("%+v, %v", items, err)
	}
	queries, err := Queries(dir, "a")
	if want := []Query{{Case: "7", ID: "12", Category: "when", Question: "Who?", Gold: []string{"D1", "4"}}}; err != nil ||
		!reflect.DeepEqual(queries, want) {
		t.Errorf("%+v, %v", queries, err)
	}
	if _, err := Items(dir, "b"); !os.IsNotExist(err) {
		t.Errorf("a set that is not there: %v", err)
	}
}

func TestNames(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b" + CorpusSuffix + ".gz", "b" + CorpusSuffix, "a_facts" + CorpusSuffix, "c" + CorpusSuffix + ".old",
		"d" + QueriesSuffix} {
		write(t, dir, name, "")
	}
	names, err := Names(dir)
	if err != nil || !slices.Equal(names, []string{"a_facts", "b"}) {
		t.Errorf("%q, %v", names, err)
	}
	for _, c := range []struct{ prefixes, want []string }{
		{nil, []string{"a_facts", "b"}}, {[]string{"b", "x"}, []string{"b"}}, {[]string{"x"}, []string{}},
	} {
		if got := Starting(slices.Clone(names), c.prefixes); !slices.Equal(got, c.want) {
			t.Errorf("starting with %q: %q, want %q", c.prefixes, got, c.want)
		}
	}
}
