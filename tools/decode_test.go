package tools

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"mcp-memory/memory"
)

func sampleShape(t testing.TB) *shape {
	sh, err := shapeOf(reflect.TypeFor[sampleIn](), enums, false)
	if err != nil {
		t.Fatal(err)
	}
	return sh
}

func TestDecodeAccepts(t *testing.T) {
	sh := sampleShape(t)
	half, no := 0.5, false
	base := func(change func(*sampleIn)) sampleIn {
		in := sampleIn{Query: "q", Mode: "fast", Limit: 10, In: memory.Corpora()}
		change(&in)
		return in
	}
	for args, want := range map[string]sampleIn{
		`{"query":"q"}`: base(func(*sampleIn) {}),
		` {"query":"q","limit":null,"least":null}`: base(func(*sampleIn) {}),
		`{"query":"q","limit":"5"}`:                base(func(in *sampleIn) { in.Limit = 5 }),
		`{"query":"q","limit":5.0}`:                base(func(in *sampleIn) { in.Limit = 5 }),
		`{"query":"q","limit":1e2}`:                base(func(in *sampleIn) { in.Limit = 100 }),
		`{"query":"q","least":"0.5"}`:              base(func(in *sampleIn) { in.Least = &half }),
		`{"query":"q","explain":"True"}`:           base(func(in *sampleIn) { in.Explain = true }),
		`{"query":"q","pinned":false}`:             base(func(in *sampleIn) { in.Pinned = &no }),
		`{"query":"q","kinds":"fact"}`:             base(func(in *sampleIn) { in.Kinds = []memory.Kind{"fact"} }),
		`{"query":"q","kinds":["turn"]}`:           base(func(in *sampleIn) { in.Kinds = []memory.Kind{"turn"} }),
		`{"query":"q","ids":[]}`:                   base(func(in *sampleIn) { in.IDs = []string{} }),
		`{"query":"q","mode":"","since":""}`:       base(func(*sampleIn) {}),
		`{"query":"a","query":"q"}`:                base(func(*sampleIn) {}),
		`{"query":"q","metadata":{"a":[1]}}`:       base(func(in *sampleIn) { in.Metadata = json.RawMessage(`{"a":[1]}`) }),
		`{"query":"q","project":"p","since":"2026-03-01"}`: base(func(in *sampleIn) {
			in.Project, in.Since = "p", time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
		}),
		`{"query":"q","messages":[{"role":"user","content":"hi"}]}`: base(func(in *sampleIn) {
			in.Messages = []sampleMessage{{memory.RoleUser, "hi"}}
		}),
		`{"query":"\ud83d\ude00 \ufffd"}`: base(func(in *sampleIn) { in.Query = "😀 \uFFFD" }),
	} {
		var got sampleIn
		if err := decode(sh, json.RawMessage(args), reflect.ValueOf(&got).Elem()); err != nil {
			t.Errorf("%s: %v", args, err)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", args, got, want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	sh := sampleShape(t)
	for args, want := range map[string]string{
		``:                                           "invalid_argument: query is missing (a string)",
		`null`:                                       "invalid_argument: query is missing (a string)",
		`{"query":null}`:                             "invalid_argument: query is missing (a string)",
		`[]`:                                         "invalid_argument: the list of arguments is a list (an object)",
		`{`:                                          "invalid_argument: the arguments are not valid JSON",
		"{\"query\":\"\xff\"}":                       "invalid_argument: the arguments are not valid UTF-8 (convert them to UTF-8 first)",
		`{"query":"\ud83d"}`:                         `invalid_argument: query has half of a surrogate pair (\uD800 to \uDFFF) (escape the whole pair, or write the character itself)`,
		`{"query":"a\u0000"}`:                        "invalid_argument: query contains a NUL character (remove it)",
		`{"query":5}`:                                "invalid_argument: query is the number 5 (a string)",
		`{"query":"q","limt":5}`:                     `invalid_argument: unknown argument "limt" (did you mean limit?)`,
		`{"query":"q","meta_data":{}}`:               `invalid_argument: unknown argument "meta_data" (did you mean metadata?)`,
		`{"query":"q","limit":0}`:                    "invalid_argument: limit is 0 (an integer from 1 to 100)",
		`{"query":"q","limit":101}`:                  "invalid_argument: limit is 101 (an integer from 1 to 100)",
		`{"query":"q","limit":5.5}`:                  "invalid_argument: limit is 5.5 (an integer from 1 to 100)",
		`{"query":"q","limit":1e400}`:                "invalid_argument: limit is 1e400 (an integer from 1 to 100)",
		`{"query":"q","limit":"0x5"}`:                `invalid_argument: limit is the string "0x5" (an integer from 1 to 100)`,
		`{"query":"q","limit":"Inf"}`:                `invalid_argument: limit is the string "Inf" (an integer from 1 to 100)`,
		`{"query":"q","limit":true}`:                 "invalid_argument: limit is the boolean true (an integer from 1 to 100)",
		`{"query":"q","least":"-0.1"}`:               "invalid_argument: least is -0.1 (a number from 0 to 1)",
		`{"query":"q","explain":1}`:                  "invalid_argument: explain is the number 1 (a boolean)",
		`{"query":"q","mode":"fats"}`:                `invalid_argument: mode is "fats" (one of fast, exact; did you mean fast?)`,
		`{"query":"q","in":["x"]}`:                   `invalid_argument: in[0] is "x" (one of memories, conversations, workspace, thinking)`,
		`{"query":"q","in":{}}`:                      "invalid_argument: in is an object (a list of memories, conversations, workspace, thinking)",
		`{"query":"q","ids":["a",null]}`:             "invalid_argument: ids[1] is null (a string)",
		`{"query":"q","ids":["a","b","c","d"]}`:      "too_large: ids has 4 elements, at most 3 are allowed (call again for the rest)",
		`{"query":"q","metadata":"{"}`:               `invalid_argument: metadata is the string "{" (an object)`,
		`{"query":"q","messages":[{"role":"boss"}]}`: `invalid_argument: messages[0].role is "boss" (one of system, user, assistant, tool)`,
		`{"query":"q","messages":[{"content":"x"}]}`: "invalid_argument: messages[0].role is missing (one of system, user, assistant, tool)",
		`{"query":"q","messages":[{"role":"tool","x":1}]}`: `invalid_argument: unknown argument "messages[0].x" (the arguments are role, content)`,
		`{"query":"q","since":"2026-02-30"}`: `invalid_argument: since is "2026-02-30", which is not a time (` +
			timeForms + `)`,
	} {
		var in sampleIn
		err := decode(sh, json.RawMessage(args), reflect.ValueOf(&in).Elem())
		if err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", args, err, want)
		}
	}
	var in sampleIn
	long := `{"query":"` + strings.Repeat("x", 33) + `"}`
	if err := decode(sh, json.RawMessage(long), reflect.ValueOf(&in).Elem()); memory.CodeOf(err) != memory.CodeTooLarge {
		t.Errorf("a query over its limit: %v", err)
	}
}

func TestParseTime(t *testing.T) {
	for text, want := range map[string]string{
		"2026-03-01T14:30:00Z":          "2026-03-01T14:30:00Z",
		"2026-03-01t14:30:00.25z":       "2026-03-01T14:30:00.25Z",
		"2026-03-01T14:30:00+02:00":     "2026-03-01T14:30:00+02:00", // in days of whoever said it
		"2026-03-01T14:30+0200":         "2026-03-01T14:30:00+02:00",
		"2026-03-01T14:30:00-05":        "2026-03-01T14:30:00-05:00",
		"2026-03-01T14:30":              "2026-03-01T14:30:00Z",
		" 2026-03-01 14:30:07 ":         "2026-03-01T14:30:07Z",
		"2024-02-29":                    "2024-02-29T00:00:00Z",
		"9999-12-31T23:59:59.999999999": "9999-12-31T23:59:59.999999999Z",
		"0001-01-02":                    "0001-01-02T00:00:00Z",
	} {
		got, err := ParseTime("at", text)
		if err != nil || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%q: %v, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "now", "2026-02-30", "2025-02-29", "2026-13-01", "2026-03-01T25:00", "10000-01-01", "0000-01-01", "0001-01-01",
		"0001-01-01T00:00:00+02:00", "9999-12-31T23:59:59-01:00", "2026-03-01T", "20260301", "1772375400", "2026-03-01T14:30:00Zjunk",
	} {
		if got, err := ParseTime("at", text); memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), "at is ") {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	sh := sampleShape(f)
	for _, seed := range []string{
		`{"query":"q","limit":"5","kinds":"fact","in":["memories"],"least":0.5,"since":"2026-03-01"}`,
		`{"query":"\ud83d","messages":[{"role":"user","content":"x"}],"metadata":{}}`,
		`[[[`, `"`, "\xff", `{"limit":1e999}`, `{"ids":[null]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, args []byte) {
		var in sampleIn
		err := decode(sh, args, reflect.ValueOf(&in).Elem())
		if err != nil {
			if code := memory.CodeOf(err); code != memory.CodeInvalidArgument && code != memory.CodeTooLarge {
				t.Fatalf("%q: %v", args, err)
			}
			if !utf8.ValidString(err.Error()) {
				t.Fatalf("%q: message is not UTF-8: %q", args, err)
			}
			return
		}
		if in.Limit < 1 || in.Limit > 100 || len(in.Query) > 32 || len(in.IDs) > 3 || !utf8.ValidString(in.Query) ||
			in.Least != nil && !(*in.Least >= 0 && *in.Least <= 1) {
			t.Fatalf("%q: accepted %+v", args, in)
		}
	})
}

// TestTimesByWords: a fleet with a clock understands what people say, in the user's zone; a day of
// what may be a date is one, and what points both ways goes by what the argument is for.
func TestTimesByWords(t *testing.T) {
	oslo := time.FixedZone("", 3600)
	now := time.Date(2026, 11, 17, 23, 30, 0, 0, oslo) // a Tuesday
	for name, words := range map[string]map[string]string{
		"occurred_at": {"yesterday": "2026-11-16T00:00:00Z", "friday": "2026-11-13T00:00:00Z", "2 hours ago": "2026-11-17T21:30:00+01:00"},
		"valid_until": {"friday": "2026-11-20T00:00:00Z", "in 2 weeks": "2026-12-01T00:00:00Z",
			"tomorrow 9am": "2026-11-18T09:00:00+01:00"},
		"as_of": {"last tuesday": "2026-11-10T00:00:00+01:00", "letzten Freitag": "2026-11-13T00:00:00+01:00"},
		"due_at": {"nächsten Freitag": "2026-11-20T00:00:00Z", "übermorgen": "2026-11-19T00:00:00Z",
			"la semana que viene": "2026-11-23T00:00:00Z", "mañana": "2026-11-18T00:00:00Z",
			"13/04/2027": "2027-04-13T00:00:00Z", "3.4.2027": "2027-04-03T00:00:00Z"},
	} {
		for text, want := range words {
			if got, ok, err := Spoken(name, text, now); err != nil || !ok || Dated(name, got).Format(time.RFC3339) != want {
				t.Errorf("%s %q: %v, want %s", name, text, got, want)
			}
		}
	}
	if got, ok, err := Spoken("occurred_at", "some day", now); ok || err != nil {
		t.Errorf("some day is %v", got)
	}
	for text, readings := range map[string]string{"03/04/2026": "2026-03-04 or 2026-04-03", "4-5-27": "2027-04-05 or 2027-05-04"} {
		if _, ok, err := Spoken("due_at", text, now); ok || err == nil || !strings.Contains(err.Error(), readings) {
			t.Errorf("%s: %t, %v", text, ok, err)
		}
	}
	f, err := NewFleet(sampleScopeOf, Services{}.Tools()...)
	if err != nil {
		t.Fatal(err)
	}
	f = f.Saying(func() time.Time { return now })
	for _, row := range f.rows {
		if row.Name == "memory_save" {
			var in saveInput
			if err := decode(row.in, json.RawMessage(`{"content":"x","occurred_at":"yesterday"}`), reflect.ValueOf(&in).
				Elem()); err != nil || in.OccurredAt.Format(time.DateOnly) != "2026-11-16" {
				t.Errorf("%v, %v", in.OccurredAt, err)
			}
		}
	}
}
