package transfer_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"mcp-memory/embed"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer"
	"mcp-memory/transfer/jsonl"
)

func TestTurnLines(t *testing.T) {
	b, n := newBank(t), 0
	at := time.Date(2023, 5, 8, 13, 56, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		line string
		want memory.Turn
	}{
		"all fields, unknown ones ignored": {
			`{"case":"c","id":"D1:1","session":"S1","speaker":"Caroline","role":"user","ts":"2023-05-08T13:56:00Z","seq":0,"batch":1,"text":"Hey!"}`,
			memory.Turn{ExternalID: "D1:1", Session: "S1", Speaker: "Caroline", Role: "user", SaidAt: at, Content: "Hey!"},
		},
		"role of the speaker": {`{"id":"1","session":"S1","speaker":"assistant","ts":"2023-05-08T13:56:00","text":"x"}`,
			memory.Turn{ExternalID: "1", Session: "S1", Speaker: "assistant", Role: "assistant", SaidAt: at, Content: "x"}},
		"no role of a name": {`{"id":"1","session":"S1","speaker":"User","ts":"2023-05-08T13:56:00","text":"x"}`,
			memory.Turn{ExternalID: "1", Session: "S1", Speaker: "User", SaidAt: at, Content: "x"}},
		"speaker of the role": {`{"id":"1","session":"S1","role":"tool","ts":"2023-05-08T13:56:00","text":"x"}`,
			memory.Turn{ExternalID: "1", Session: "S1", Speaker: "tool", Role: "tool", SaidAt: at, Content: "x"}},
		"numbers as names": {`{"id":7,"session":12,"speaker":"A","ts":"2023-05-08T13:56:00","text":"x"}`,
			memory.Turn{ExternalID: "7", Session: "12", Speaker: "A", SaidAt: at, Content: "x"}},
		"an offset": {`{"id":"1","session":"S1","speaker":"A","ts":"2023-05-08T15:56:00+02:00","text":"x"}`,
			memory.Turn{ExternalID: "1", Session: "S1", Speaker: "A", SaidAt: at, Content: "x"}},
		"a date": {`{"id":"1","session":"S1","speaker":"A","ts":"2023-05-08","text":"x"}`,
			memory.Turn{ExternalID: "1", Session: "S1", Speaker: "A", SaidAt: at.Truncate(24 * time.Hour), Content: "x"}},
		"no time is now": {`{"id":"1","session":"S1","speaker":"A","text":"x"}`,
			memory.Turn{ExternalID: "1", Session: "S1", Speaker: "A", SaidAt: start, Content: "x"}},
		"text is kept as it is": {`{"id":"1","session":"S1","speaker":"A","ts":null,"text":" a\n b "}`,
			memory.Turn{ExternalID: "1", Session: "S1", Speaker: "A", SaidAt: start, Content: " a\n b "}},
	} {
		t.Run(name, func(t *testing.T) {
			n++
			b.scope.Agent = fmt.Sprintf("agent-%d", n)
			b.mustLoad(t, transfer.Turns, c.line)
			got := b.turns(t, b.scope.Agent)
			if len(got) != 1 {
				t.Fatalf("%d turns", len(got))
			}
			c.want.ID, c.want.Agent, c.want.CreatedAt = got[0].ID, b.scope.Agent, start
			if !reflect.DeepEqual(got[0], c.want) {
				t.Errorf("got  %+v\nwant %+v", got[0], c.want)
			}
		})
	}
}

func TestFactLines(t *testing.T) {
	b := newBank(t)
	report := b.mustLoad(t, transfer.Facts,
		"\xef\xbb\xbf"+
			`{"id":"a","content":"The harbour café opens at nine.","category":"Event","kind":"longterm","ts":"2024-02-03","importance":0.9,"tags":["café"," café "],"speaker":"Anna","session":"S1","source":"user","seq":4}
`+"\r\n \n"+`{"text":"Anna plays the oboe."}`)
	if report.Created != 2 || report.Records != 2 || report.Read != 2 {
		t.Errorf("report %+v", report)
	}
	if b.logged.Load() > 0 {
		t.Error("the import wrote to the day's log")
	}
	got := b.records(t, "anna")
	want := memory.Record{
		ID: got[0].ID, Agent: "anna", Kind: memory.KindLongTerm, Category: "event", Content: "The harbour café opens at nine.",
		Importance: 0.9, Tags: []string{"café"}, Source: memory.SourceUser,
		ExternalID: "a", Metadata: json.RawMessage(`{"speaker":"Anna","session":"S1"}`),
		CreatedAt: start, OccurredAt: time.Date(2024, 2, 3, 0, 0, 0, 0, time.UTC),
		Confirmations: 1, KindDetails: memory.KindDetails{Episode: &memory.EpisodeDetails{}},
	}
	if !reflect.DeepEqual(got[0], want) {
		t.Errorf("got  %+v\nwant %+v", got[0], want)
	}
	if r := got[1]; r.Source != memory.SourceImport || r.Kind != memory.KindFact || !r.CategoryGuessed || r.Metadata != nil ||
		!r.OccurredAt.IsZero() {
		t.Errorf("defaults: %+v", r)
	}
}

// TestSoulLines: a soul entry whose type no line can say is a belief.
func TestSoulLines(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, transfer.Facts, `{"content":"I value honesty.","kind":"soul"}`)
	if r := b.records(t, "anna")[0]; r.Soul == nil || r.Soul.Type != memory.SoulBelief {
		t.Errorf("%+v", r.KindDetails)
	}
}

func TestFormatIsRecognised(t *testing.T) {
	for text, want := range map[string]transfer.Format{
		`{"session":"S1","speaker":"A","text":"x"}`: transfer.Turns,
		`{"content":"x"}`: transfer.Facts,
		`{"text":"x"}`:    transfer.Facts,
		"\n\n" + `{"session":"S1","content":"x"}`: transfer.Facts,
		`{"type":"bundle","version":1}{}`[:29]:    transfer.Bundle,
		``:                                        transfer.Facts,
	} {
		b := newBank(t)
		report, err := b.load("", text)
		if report.Format != want || (err != nil) != (want == transfer.Bundle) { // that bundle has no footer
			t.Errorf("%q: %v, %v", text, report.Format, err)
		}
	}
	if _, err := newBank(t).load("csv", "x"); memory.CodeOf(err) != memory.CodeInvalidArgument {
		t.Errorf("unknown format: %v", err)
	}
}

func TestBrokenLines(t *testing.T) {
	b, n := newBank(t), 0
	long := `{"session":"S","text":"` + strings.Repeat("x", jsonl.MaxLineBytes) + `"}`
	for name, c := range map[string]struct {
		format    transfer.Format
		line, why string
	}{
		"not JSON":         {transfer.Facts, `{"content":"x",}`, "not JSON"},
		"cut off":          {transfer.Facts, `{"content":"x`, "truncated"},
		"an array":         {transfer.Facts, `["x"]`, "an array"},
		"two values":       {transfer.Facts, `{"content":"x"} {}`, "not JSON"},
		"no content":       {transfer.Facts, `{"id":"x"}`, "content is empty"},
		"blank content":    {transfer.Facts, `{"content":" \n "}`, "content is empty"},
		"wrong type":       {transfer.Facts, `{"content":7}`, "content is a number"},
		"tags as a string": {transfer.Facts, `{"content":"x","tags":"a"}`, "tags is a string"},
		"importance":       {transfer.Facts, `{"content":"x","importance":7}`, "importance is 7"},
		"kind":             {transfer.Facts, `{"content":"x","kind":"opinion"}`, `kind "opinion"`},
		"category":         {transfer.Facts, `{"content":"x","category":"a/b"}`, "category"},
		"source":           {transfer.Facts, `{"content":"x","source":"rumour"}`, "source"},
		"time":             {transfer.Facts, `{"content":"x","ts":"yesterday"}`, `ts "yesterday" is not a time`},
		"time as a number": {transfer.Facts, `{"content":"x","ts":17}`, "ts is not a string"},
		"id":               {transfer.Facts, `{"content":"x","id":{}}`, "neither a string nor a number"},
		"NUL":              {transfer.Facts, `{"content":"a\u0000b"}`, "NUL"},
		"not UTF-8":        {transfer.Facts, "{\"content\":\"\xff\"}", "UTF-8"},
		"large content": {transfer.Facts, `{"content":"` + strings.Repeat("x", memory.MaxContentBytes+1) + `"}`,
			"content is 32769 bytes"},
		"no session": {transfer.Turns, `{"speaker":"A","text":"x"}`, "session is missing"},
		"no text":    {transfer.Turns, `{"session":"S","speaker":"A"}`, "text is empty"},
		"role":       {transfer.Turns, `{"session":"S","role":"robot","text":"x"}`, `role "robot"`},
		"long line":  {transfer.Turns, long, "longer than 4 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			good := map[transfer.Format]string{
				transfer.Facts: `{"content":"Anna plays the oboe."}`, transfer.Turns: `{"session":"S","speaker":"A","text":"Hi"}`,
			}[c.format]
			n++
			b.scope.Agent = fmt.Sprintf("agent-%d", n)
			report, err := b.load(c.format, good+"\n\n"+c.line+"\n"+good+"\n")
			if memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), "line 3: ") ||
				!strings.Contains(err.Error(), c.why) {
				t.Errorf("error %v", err)
			}
			if n := len(b.records(t, b.scope.Agent)) + len(b.turns(t, b.scope.Agent)); n > 0 || report.Created > 0 || report.Skipped > 0 {
				t.Errorf("%d stored, report %+v", n, report)
			}
			report, err = transfer.Import(t.Context(), b.Deps, strings.NewReader(good+"\n\n"+c.line+"\n"+c.line),
				transfer.Options{Format: c.format, Scope: b.scope, SkipBad: true})
			if err != nil || report.Created != 1 || report.Skipped != 2 || report.Read != 3 {
				t.Errorf("skipping: %+v, %v", report, err)
			}
			if len(report.Bad) != 2 || report.Bad[0].Line != 3 || report.Bad[1].Line != 4 ||
				!strings.Contains(report.Bad[0].Reason, c.why) {
				t.Errorf("bad lines %+v", report.Bad)
			}
		})
	}
}

func TestABrokenLineKeepsTheBatchesBeforeIt(t *testing.T) {
	b := newBank(t)
	text := factLines(1200) + "{\n"
	report, err := b.load(transfer.Facts, text)
	if err == nil || !strings.Contains(err.Error(), "line 1201: ") || !strings.Contains(err.Error(), "nothing from line 1001 on") {
		t.Errorf("error %v", err)
	}
	if n := len(b.records(t, "anna")); n != 1000 || report.Created != 1000 {
		t.Errorf("%d stored, report %+v", n, report)
	}
	if report := b.mustLoad(t, transfer.Facts, factLines(1200)); report.Created != 200 || report.Duplicates != 1000 {
		t.Errorf("mended: %+v", report)
	}
}

func TestOnlySomeBadLinesAreNamed(t *testing.T) {
	b := newBank(t)
	report, err := transfer.Import(t.Context(), b.Deps, strings.NewReader(strings.Repeat("?\n", 700)),
		transfer.Options{Format: transfer.Facts, Scope: anna, SkipBad: true})
	if err != nil || report.Skipped != 700 || len(report.Bad) != 20 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestTheSameFileAgainChangesNothing(t *testing.T) {
	for _, c := range []struct {
		format transfer.Format
		text   string
	}{
		{transfer.Facts, factLines(700) + factLines(30)},
		{transfer.Turns, turnLines(700)},
	} {
		b := newBank(t)
		first := b.mustLoad(t, c.format, c.text)
		records, turns := b.records(t, "anna"), b.turns(t, "anna")
		if len(records)+len(turns) != 700 || first.Created != 700 {
			t.Fatalf("%s: %d records, %d turns, %+v", c.format, len(records), len(turns), first)
		}
		b.clock.now = b.clock.now.Add(time.Hour)
		again := b.mustLoad(t, c.format, c.text)
		if again.Created+again.Updated != 0 || again.Duplicates != again.Read {
			t.Errorf("%s again: %+v", c.format, again)
		}
		if !reflect.DeepEqual(records, b.records(t, "anna")) || !reflect.DeepEqual(turns, b.turns(t, "anna")) {
			t.Errorf("%s: something changed", c.format)
		}
	}
}

// What became of a fact since its import is not undone by another one.
func TestTheSameFileAfterChanges(t *testing.T) {
	ctx := context.Background()
	corrected, file := "Anna plays the oboe and the flute.", `{"id":"1","content":"Anna plays the oboe.","ts":"2024-01-01"}
{"id":"2","content":"The café opens at nine."}
{"id":"2","content":"The café opens at ten."}
{"id":"3","content":"The ferry leaves at noon."}
`
	b := newBank(t)
	if report := b.mustLoad(t, transfer.Facts, file); report.Created != 3 || report.Updated != 1 {
		t.Fatalf("%+v", report)
	}
	ids := map[string]string{}
	for _, r := range b.records(t, "anna") {
		ids[r.Content] = r.ID
	}
	if _, err := b.Service.Update(ctx, anna, remember.UpdateRequest{ID: ids["Anna plays the oboe."], Content: &corrected}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Service.Forget(ctx, anna, remember.ForgetRequest{IDs: []string{ids["The ferry leaves at noon."]}}); err != nil {
		t.Fatal(err)
	}
	before := b.records(t, "anna")
	if report := b.mustLoad(t, transfer.Facts, file); report.Duplicates != 4 {
		t.Errorf("again: %+v", report)
	}
	if !reflect.DeepEqual(before, b.records(t, "anna")) {
		t.Error("something changed")
	}
	// A new content is a correction all the same.
	if report := b.mustLoad(t, transfer.Facts, `{"id":"1","content":"Anna plays the tuba."}`); report.Updated != 1 {
		t.Errorf("correction: %+v", report)
	}
}

func TestMessagesWithoutIDs(t *testing.T) {
	b := newBank(t)
	line := `{"session":"S","speaker":"A","ts":"2024-01-01","text":"ok"}` + "\n"
	if report := b.mustLoad(t, transfer.Turns, line+line+line); report.Turns != 3 {
		t.Errorf("repeated messages: %+v", report)
	}
	if report := b.mustLoad(t, transfer.Turns, line+line+line+line); report.Turns != 1 || report.Duplicates != 3 {
		t.Errorf("a file that grew: %+v", report)
	}
}

func TestACancelledImportGoesOn(t *testing.T) {
	for _, format := range []transfer.Format{transfer.Facts, transfer.Turns} {
		text := factLines(1300)
		if format == transfer.Turns {
			text = turnLines(1300)
		}
		b := newBank(t)
		ctx, cancel := context.WithCancel(t.Context())
		report, err := transfer.Import(ctx, b.Deps, strings.NewReader(text),
			transfer.Options{Format: format, Scope: anna, Progress: func(int64, int64) { cancel() }})
		if memory.CodeOf(err) != memory.CodeUnavailable || !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		if n := len(b.records(t, "anna")) + len(b.turns(t, "anna")); n != report.Created || n == 0 || n%memory.MaxBatch != 0 || n == 1300 {
			t.Errorf("%d stored, report %+v", n, report)
		}
		b.mustLoad(t, format, text)
		if n := len(b.records(t, "anna")) + len(b.turns(t, "anna")); n != 1300 {
			t.Errorf("%d after all", n)
		}
	}
}

func TestAFailingFile(t *testing.T) {
	b := newBank(t)
	text := factLines(900)
	cut := io.MultiReader(strings.NewReader(text), iotest.ErrReader(errors.New("cable pulled")))
	_, err := transfer.Import(t.Context(), b.Deps, cut, transfer.Options{Format: transfer.Facts, Scope: anna, SkipBad: true})
	if memory.CodeOf(err) != memory.CodeUnavailable || len(b.records(t, "anna")) != 500 {
		t.Errorf("%v, %d records", err, len(b.records(t, "anna")))
	}
	b.store.Close()
	if _, err := b.load(transfer.Facts, text); memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("closed store: %v", err)
	}
}

func TestGzip(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	io.WriteString(w, turnLines(600))
	w.Close()
	b := newBank(t)
	var last int64
	report, err := transfer.Import(t.Context(), b.Deps, bytes.NewReader(packed.Bytes()),
		transfer.Options{Scope: anna, Progress: func(_, bytes int64) { last = bytes }})
	if err != nil || report.Turns != 600 || last != int64(packed.Len()) {
		t.Errorf("%+v, %v, %d of %d bytes", report, err, last, packed.Len())
	}
	for _, damaged := range [][]byte{packed.Bytes()[:packed.Len()/2], packed.Bytes()[:5],
		append(packed.Bytes()[:20:20], bytes.Repeat([]byte{0xff}, 500)...)} {
		_, err := newBank(t).load(transfer.Turns, string(damaged))
		if memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), "compressed") {
			t.Errorf("damaged: %v", err)
		}
	}
}

func TestScope(t *testing.T) {
	b := newBank(t)
	for _, scope := range []memory.Scope{{}, {Agent: "../x"}, {Agent: "anna", Project: memory.AllProjects}} {
		_, err := transfer.Import(t.Context(), b.Deps, strings.NewReader(factLines(1)),
			transfer.Options{Format: transfer.Facts, Scope: scope})
		if memory.CodeOf(err) != memory.CodeInvalidArgument {
			t.Errorf("%+v: %v", scope, err)
		}
	}
	scope := memory.Scope{Agent: "anna", Project: "ferry"}
	for _, text := range []string{factLines(1), turnLines(1)} {
		if _, err := transfer.Import(t.Context(), b.Deps, strings.NewReader(text), transfer.Options{Scope: scope}); err != nil {
			t.Fatal(err)
		}
	}
	if r, turn := b.records(t, "anna")[0], b.turns(t, "anna")[0]; r.Project != "ferry" || turn.Project != "ferry" {
		t.Errorf("projects %q and %q", r.Project, turn.Project)
	}
}

func TestVectors(t *testing.T) {
	local := newBank(t)
	local.mustLoad(t, "", factLines(10))
	local.mustLoad(t, "", turnLines(10))
	if s, err := local.store.Stats(t.Context(), "anna"); err != nil || s.Vectors != 20 || s.VectorsQueued != 0 || local.queued.Load() != 0 {
		t.Errorf("local: %+v, %v, told %d times", s, err, local.queued.Load())
	}
	away := newBankWith(t, remote{embed.NewBuiltin()})
	away.mustLoad(t, "", factLines(10))
	away.mustLoad(t, "", turnLines(10))
	if s, err := away.store.Stats(t.Context(), "anna"); err != nil || s.Vectors != 0 || s.VectorsQueued != 20 || away.queued.Load() != 2 {
		t.Errorf("remote: %+v, %v, told %d times", s, err, away.queued.Load())
	}
}

func TestProgress(t *testing.T) {
	b := newBank(t)
	text := factLines(1100)
	var seen []string
	_, err := transfer.Import(t.Context(), b.Deps, strings.NewReader(text),
		transfer.Options{Scope: anna, Progress: func(lines, bytes int64) {
			seen = append(seen, fmt.Sprint(lines, bytes > 0 && bytes <= int64(len(text))))
		}})
	if want := "[500 true 1000 true 1100 true]"; err != nil || fmt.Sprint(seen) != want {
		t.Errorf("%v, %v", seen, err)
	}
}

// A bundle does not bring back what was forgotten since, under its own id or
// another, unless it is wanted; what it has itself both live and archived is as it was.
func TestBundleAfterForgetting(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, transfer.Facts, `{"id":"1","content":"Anna plays the oboe."}`)
	bundle := b.export(t, "anna")
	first := b.records(t, "anna")[0]
	other := strings.ReplaceAll(strings.ReplaceAll(bundle, first.ID, "01900000-0000-7000-8000-000000000000"), `"external_id":"1"`,
		`"external_id":"2"`)
	if _, err := b.Service.Forget(t.Context(), anna, remember.ForgetRequest{IDs: []string{first.ID}}); err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{"its own id": bundle, "another id": other} {
		if report := b.mustLoad(t, transfer.Bundle, file); report.Forgotten != 1 || report.Created != 0 || len(b.records(t, "anna")) != 1 {
			t.Errorf("%s: %+v", name, report)
		}
	}
	report, err := transfer.Import(t.Context(), b.Deps, strings.NewReader(bundle), transfer.Options{Scope: anna, Revive: true})
	all := b.records(t, "anna")
	if err != nil || report.Revived != 1 || report.Records != 1 || report.Created != 0 || len(all) != 1 || !all[0].Live() ||
		all[0].ArchiveWhy != "" {
		t.Errorf("revived: %+v, %v, %+v", report, err, all)
	}
	if report := b.mustLoad(t, transfer.Bundle, bundle); report.Duplicates != 1 || report.Read != 1 {
		t.Errorf("live again: %+v", report)
	}

	both := b.export(t, "anna")
	lines := strings.SplitAfter(both, "\n")
	twin := strings.Replace(lines[1], first.ID, "01900000-0000-7000-8000-000000000001", 1)
	twin = strings.Replace(twin, `"external_id":"1",`, "", 1)
	archived := strings.Replace(lines[1], `"created_at"`, `"archived_at":"2099-01-01T00:00:00Z","created_at"`, 1)
	file := lines[0] + archived + twin + `{"type":"footer","records":2,"aliases":0,"turns":0,"todos":0,"events":0}`
	elsewhere := newBank(t)
	if report := elsewhere.mustLoad(t, transfer.Bundle, file); report.Created != 2 || report.Forgotten != 0 {
		t.Errorf("both: %+v", report)
	}
}

// What was forgotten or erased since a file was imported stays so, unless it is
// said again later, or wanted.
func TestForgottenStaysForgotten(t *testing.T) {
	file := `{"content":"Anna plays the oboe.","ts":"2024-01-01"}
{"content":"The ferry leaves at noon."}
{"id":"3","content":"The café opens at nine."}
{"content":"The mast is of oak."}`
	for name, forget := range map[string]remember.ForgetRequest{"forgotten": {}, "erased": {Permanent: true, Confirm: true}} {
		t.Run(name, func(t *testing.T) {
			b := newBank(t)
			b.mustLoad(t, transfer.Facts, file)
			bundle := b.export(t, "anna")
			for _, r := range b.records(t, "anna") {
				if r.Content != "The mast is of oak." {
					forget.IDs = append(forget.IDs, r.ID)
				}
			}
			if _, err := b.Service.Forget(t.Context(), anna, forget); err != nil {
				t.Fatal(err)
			}
			live := func() (n int) {
				for _, r := range b.records(t, "anna") {
					if r.Live() {
						n++
					}
				}
				return n
			}
			report := b.mustLoad(t, transfer.Facts, file)
			if live() != 1 || report.Created != 0 || report.Forgotten+report.Duplicates != 4 || report.Forgotten < 2 || report.Read != 4 {
				t.Errorf("again: %+v, %d live", report, live())
			}
			if report := b.mustLoad(t, transfer.Bundle, bundle); live() != 1 || report.Created != 0 || report.Read != 4 {
				t.Errorf("the bundle: %+v, %d live", report, live())
			}
			if report := b.mustLoad(t, transfer.Facts, `{"content":"Anna plays the oboe.","ts":"2031-01-01"}`); report.Created != 1 {
				t.Errorf("said anew: %+v", report)
			}
			report, err := transfer.Import(t.Context(), b.Deps, strings.NewReader(file),
				transfer.Options{Format: transfer.Facts, Scope: b.scope, Revive: true})
			if err != nil || report.Created+report.Revived != 2 || live() != 4 || report.Forgotten != 0 {
				t.Errorf("revived: %+v, %d live, %v", report, live(), err)
			}
		})
	}
}

// Who speaks in what is imported is known afterwards; what is imported again is no
// interaction.
func TestImportedSpeakersAreMet(t *testing.T) {
	b := newBank(t)
	first := `{"session":"s","speaker":"Marta","ts":"2026-02-01T10:00:00Z","text":"Hello."}
{"session":"s","speaker":"user","text":"Hi."}
{"id":"m3","session":"s","speaker":"Marta","ts":"2026-02-01T11:00:00Z","text":"How are you?"}
`
	interactions := func() int {
		t.Helper()
		list, _, err := b.store.List(t.Context(), memory.CatalogFilter{Agent: anna.Agent, Kind: memory.KindRelationship})
		if err != nil || len(list) != 1 || list[0].Relationship.Party != "Marta" {
			t.Fatalf("known: %+v, %v", list, err)
		}
		return list[0].Relationship.Interactions
	}
	for _, c := range []struct {
		text string
		want int
	}{{first, 2}, {first, 2}, {first + `{"session":"s","speaker":"marta","text":"Well?"}` + "\n" +
		`{"id":"m3","session":"s","speaker":"Marta","text":"Again."}`, 3}} {
		b.mustLoad(t, transfer.Turns, c.text)
		if n := interactions(); n != c.want {
			t.Errorf("%d interactions, want %d", n, c.want)
		}
	}
}
