package hosts

import (
	"reflect"
	"strings"
	"testing"
)

func TestSetAndRemoveJSON(t *testing.T) {
	entry := object{{"command", "/x/mcp-memory"}, {"args", words("serve")}}
	never := func([]string) bool { return false }
	for name, tt := range map[string]struct{ before, after string }{
		"nothing": {"",
			"{\n  \"a\": {\n    \"m\": {\n      \"command\": \"/x/mcp-memory\",\n      \"args\": [\n        \"serve\"\n      ]\n    }\n  }\n}\n"},
		"one line":        {`{"b":1}`, `{"b":1, "a":{"m":{"command":"/x/mcp-memory","args":["serve"]}}}`},
		"one line, tight": {`{"b":1,"c":2}`, `{"b":1,"c":2,"a":{"m":{"command":"/x/mcp-memory","args":["serve"]}}}`},
		"tabs": {"{\n\t\"b\": 1\n}",
			"{\n\t\"b\": 1,\n\t\"a\": {\n\t\t\"m\": {\n\t\t\t\"command\": \"/x/mcp-memory\",\n\t\t\t\"args\": [\n\t\t\t\t\"serve\"\n\t\t\t]\n\t\t}\n\t}\n}"},
		"CRLF": {"{\r\n \"b\": 1\r\n}\r\n",
			"{\r\n \"b\": 1,\r\n \"a\": {\r\n  \"m\": {\r\n   \"command\": \"/x/mcp-memory\",\r\n   \"args\": [\r\n    \"serve\"\r\n   ]\r\n  }\r\n }\r\n}\r\n"},
		"comments": {"{\n  \"b\": 1 // one\n  // two\n}",
			"{\n  \"b\": 1, // one\n  // two\n  \"a\": {\n    \"m\": {\n      \"command\": \"/x/mcp-memory\",\n      \"args\": [\n        \"serve\"\n      ]\n    }\n  }\n}"},
		"trailing comma": {"{\n  \"b\": 1,\n}",
			"{\n  \"b\": 1,\n  \"a\": {\n    \"m\": {\n      \"command\": \"/x/mcp-memory\",\n      \"args\": [\n        \"serve\"\n      ]\n    }\n  },\n}"},
		"only a comment": {"{ // nothing\n}",
			"{ // nothing\n  \"a\": {\n    \"m\": {\n      \"command\": \"/x/mcp-memory\",\n      \"args\": [\n        \"serve\"\n      ]\n    }\n  }\n}"},
		"one line, a comment": {"{\"b\":1 // c\n}",
			"{\"b\":1, // c\n  \"a\": {\n    \"m\": {\n      \"command\": \"/x/mcp-memory\",\n      \"args\": [\n        \"serve\"\n      ]\n    }\n  }\n}"},
		"mark": {"\ufeff{\"b\":1}", "\ufeff{\"b\":1, \"a\":{\"m\":{\"command\":\"/x/mcp-memory\",\"args\":[\"serve\"]}}}"},
	} {
		text, err := parseJSON([]byte(tt.before), false)
		if err == nil {
			err = text.set(entry, "a", "m")
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := string(text.bytes()); got != tt.after {
			t.Errorf("%s: %q, want %q", name, got, tt.after)
		}
		if err := text.remove(never, "a", "m"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := string(text.bytes()); got != tt.before && strings.TrimSpace(got) != "{}" {
			t.Errorf("%s: afterwards %q, want %q", name, got, tt.before)
		}
	}
}

func TestCutJSON(t *testing.T) {
	for before, want := range map[string]string{
		`{"m": 1, "b": 2}`:         `{"b": 2}`,
		`{"b": 2, "m": 1, "c": 3}`: `{"b": 2, "c": 3}`,
		`{"b": 2, "m": 1}`:         `{"b": 2}`,
		`{"m": 1}`:                 `{}`,
		`{ "m" : 1 , }`:            `{}`,
		"{\n  \"b\": 2, // two\n  \"m\": 1 // one\n}":  "{\n  \"b\": 2 // two\n // one\n}",
		"{\n  // mine\n  \"m\": 1\n}":                  "{\n  // mine\n}",
		"{\n  // mine\n  \"m\": 1, \"b\": 2\n}":        "{\n  // mine\n \"b\": 2\n}",
		"{ // mine\n \"m\": 1 }":                       "{ // mine\n }",
		`{"b": 2 /* , */, /* m */ "m": 1}`:             `{"b": 2 /* , */ /* m */}`,
		"{\"m\": 1 /* of m */, \"b\": 2}":              "{ /* of m */\"b\": 2}",
		"{\n\t\"b\": {\"m\": 1},\n\t\"m\": {\n\t},\n}": "{\n\t\"b\": {\"m\": 1},\n}",
	} {
		text, err := parseJSON([]byte(before), false)
		if err != nil {
			t.Fatal(err)
		}
		if err := text.remove(func([]string) bool { return true }, "m"); err != nil {
			t.Errorf("%q: %v", before, err)
		}
		if got := string(text.bytes()); got != want {
			t.Errorf("%q becomes %q, want %q", before, got, want)
		}
	}
}

func TestRefusedJSON(t *testing.T) {
	for text, want := range map[string]string{
		"{":                           "it is not JSON: line 1, column 2",
		"[]":                          "it is no JSON object",
		`{"a":1}{`:                    "it is not JSON",
		"{// c\n}":                    "it has comments",
		`{"a":[1,]}`:                  "it has comments or commas",
		strings.Repeat(`{"a":`, 1000): "nested more than 200 deep",
	} {
		if _, err := parseJSON([]byte(text), true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		`{"a":{"m":1},"a":{}}`:     "a is in it twice",
		`{"a":{"m":1,"m":2}}`:      "a.m is in it twice",
		`{"a":[]}`:                 "a is no object",
		`{"a":{"\u006d":1,"m":2}}`: "a.m is in it twice",
	} {
		parsed, err := parseJSON([]byte(text), true)
		if err != nil {
			t.Fatal(err)
		}
		if err := parsed.set(1, "a", "m"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if got := string(parsed.bytes()); got != text {
			t.Errorf("%s became %s", text, got)
		}
	}
}

// FuzzJSON sets and removes a member in whatever is JSON: all else stays, to the comment.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		"", "{}", `{"a":{}}`, "{\r\n\t\"a\": { // c\n}, /* d */ }",
		`{"b":1,"a":{"m":{"x":[1,2]}}}`, "\ufeff{\"a\" /* , */ : {\"b\":1 //\n,}}", "// c\n{\n}\n// d",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		text, err := parseJSON([]byte(src), false)
		if err != nil {
			return
		}
		if got := string(text.bytes()); strings.TrimSpace(strings.TrimPrefix(src, "\ufeff")) != "" && got != src {
			t.Fatalf("%q is read as %q", src, got)
		}
		before := text.decode(&text.root)
		had, err := text.find("a", "m")
		if err != nil {
			return
		}
		comments := commentsIn(text.src)
		value := object{{"command", "x"}, {"args", words("serve")}}
		if text.set(value, "a", "m") != nil {
			return
		}
		if now, err := text.find("a", "m"); err != nil || now == nil || !reflect.DeepEqual(text.decode(now), plain(value)) {
			t.Fatalf("%q becomes %q: %v", src, text.bytes(), err)
		}
		if had != nil {
			return
		}
		if got := commentsIn(text.src); got != comments {
			t.Fatalf("%q becomes %q: comments %q, were %q", src, text.bytes(), got, comments)
		}
		set := string(text.bytes())
		original, _ := parseJSON([]byte(src), false)
		keep := func(path []string) bool { v, _ := original.find(path...); return v != nil }
		if err := text.remove(keep, "a", "m"); err != nil {
			t.Fatalf("%q becomes %q: %v", src, set, err)
		}
		if !reflect.DeepEqual(text.decode(&text.root), before) {
			t.Fatalf("%q becomes %q, then %q", src, set, text.bytes())
		}
		if strings.TrimSpace(strings.TrimPrefix(src, "\ufeff")) != "" && !sameTokens(text.bytes(), []byte(src)) {
			t.Fatalf("%q becomes %q, then %q", src, set, text.bytes())
		}
	})
}

// commentsIn joins all comments of a text.
func commentsIn(src []byte) string {
	var all []string
	with := withoutSpace(src)
	for i := 0; i < len(with); i++ {
		switch with[i] {
		case '"':
			for i++; i < len(with) && with[i] != '"'; i++ {
				if with[i] == '\\' {
					i++
				}
			}
		case '/':
			length := commentLength(with[i:])
			all = append(all, string(with[i:i+length]))
			i += length - 1
		}
	}
	return strings.Join(all, "\n")
}
