package notes

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSlug(t *testing.T) {
	for text, want := range map[string]string{
		"The release manager is Priya.":   "the-release-manager-is-priya",
		"  ../../etc/passwd":              "etc-passwd",
		"CON":                             "con",
		"Äpfel & Öl — naïve":              "apfel-ol-naive",
		"東京のオフィス":                         "東京のオフィス",
		"\u0301\u200b🙂":                   "note",
		"a\x00b\nc":                       "a-b-c",
		strings.Repeat("word ", 40):       "word-word-word-word-word-word-word-word-word-word-word-word",
		strings.Repeat("abcdefgh ", 40):   "abcdefgh-abcdefgh-abcdefgh-abcdefgh-abcdefgh-abcdefgh",
		strings.Repeat("x", 200):          strings.Repeat("x", 60),
		"한국어 " + strings.Repeat("글", 100): "한국어-" + strings.Repeat("글", 35),
	} {
		if got := Slug(text); got != want || len(got) > slugBytes || !utf8.ValidString(got) {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestEditedNotesAreKnown(t *testing.T) {
	text, err := Format(Note{Type: "record", Fields: []byte(`{"id":"a","tags":["x","y z"],"metadata":{"b":2.50}}`),
		Body: "One\r\ntwo\n---\nthree\n\n"}, "metadata")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text   string
		edited bool
	}{
		"as written":         {text, false},
		"by Git on Windows":  {strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n"), false},
		"another tag":        {strings.Replace(text, "y z", "z", 1), true},
		"another text":       {strings.Replace(text, "three", "four", 1), true},
		"without a checksum": {strings.Replace(text, "checksum:", "sum:", 1), true},
	} {
		n, err := Parse([]byte(c.text))
		if err != nil || n.Edited != c.edited || n.Type != "record" {
			t.Errorf("%s: %+v, %v", name, n, err)
		}
		if !c.edited && (n.Body != "One\r\ntwo\n---\nthree\n\n" ||
			string(n.Fields) != `{"id":"a","tags":["x","y z"],"metadata":"{\"b\":2.50}"}`) {
			t.Errorf("%s: %q, %s", name, n.Body, n.Fields)
		}
	}
	if n, err := Parse([]byte("---\nA rule above.\n")); err != nil || n.Type != "" || n.Body != "---\nA rule above.\n" {
		t.Errorf("%+v, %v", n, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "---\n---\n", "---\na: 1\n---\nText", "---\nmcp_memory: record\nid: x\nchecksum: y\n---\nText\n",
		"---\n\"a", "\xef\xbb\xbf---\r\na: [1,{b: c}]\r\n---", "\ufeff---\r\n\n$* [{bGGo{\n\n\nb&ooo c}]\r---\r\n\n\n---"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Parse([]byte(text))
		if err != nil || n.Fields == nil {
			return
		}
		again, err := Format(Note{Type: "t", Fields: n.Fields, Body: n.Body})
		if err != nil {
			t.Fatalf("%q: %v", n.Fields, err)
		}
		back, err := Parse([]byte(again))
		if err == nil && (back.Body != n.Body || back.Edited) {
			t.Errorf("%q came back as %+v of\n%s", n.Body, back, again)
		}
	})
}
