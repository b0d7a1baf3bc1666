package transfer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/transfer"
)

func (b *bank) export(t testing.TB, agent string) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := transfer.Export(t.Context(), b.Deps, agent, &out, nil); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// fill sets every field of a struct to something that is not its zero value.
func fill(v reflect.Value, n int) {
	switch x := v.Addr().Interface().(type) {
	case *time.Time:
		*x = start.Add(time.Duration(n)*time.Hour + 123456*time.Microsecond)
		return
	case *json.RawMessage:
		*x = json.RawMessage(fmt.Sprintf(`{"n":%d,"html":"<b>&","big":12345678901234567890}`, n))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n+i+1)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n+1)
	case reflect.String:
		v.SetString(fmt.Sprintf("text <%d> ü", n))
	case reflect.Int:
		v.SetInt(int64(n + 2))
	case reflect.Float64:
		v.SetFloat(1 / float64(n+3))
	case reflect.Bool:
		v.SetBool(true)
	}
}

// allowed gives a filled record a kind, and of the details those of its kind,
// with values that may be imported.
func allowed(r *memory.Record, kind memory.Kind) {
	r.Kind, r.Source, r.Category = kind, memory.SourceUser, "event"
	r.Content += " \u2028 and\nmore\n"
	r.ValidUntil = r.ValidFrom.Add(time.Hour)
	r.Soul.Type, r.Learning.Type, r.Summary.Of, r.Diary.Date = memory.SoulFear, memory.LearningCorrection, "memories", "2026-02-28"
	r.Procedure.Succeeded = r.Procedure.Executed - 1
	all := reflect.ValueOf(&r.KindDetails).Elem()
	for i := range all.NumField() {
		var alone memory.KindDetails
		reflect.ValueOf(&alone).Elem().Field(i).Set(all.Field(i))
		if !alone.OfKind(kind) {
			all.Field(i).SetZero()
		}
	}
}

// fullBank has a record of every kind with every field set, chains of
// corrections, what is archived, and turns of several sessions.
func fullBank(t *testing.T) *bank { return fullBankOf(t, true) }

// fullBankOf says whether what has every field set is also marked as damaged.
func fullBankOf(t *testing.T, damaged bool) *bank {
	b := newBank(t)
	err := b.store.Write(t.Context(), "anna", func(tx memory.Tx) error {
		for i, kind := range memory.Kinds() {
			var r memory.Record
			fill(reflect.ValueOf(&r).Elem(), 10*i)
			allowed(&r, kind)
			r.ID, r.Supersedes, r.SupersededBy, r.Agent = fmt.Sprintf("full-%d", i), "before", "behind", "anna"
			r.Damaged = damaged
			if r.Summary != nil {
				r.Summary.Covers = []string{"one", "other"}
			}
			if err := tx.InsertRecord(r, nil); err != nil {
				return err
			}
			for n := range 3 {
				if kind != memory.KindProcedure {
					break
				}
				run := memory.ProcedureRun{Procedure: r.ID, Success: n > 0, Notes: fmt.Sprint("run ", n),
					At: start.Add(time.Duration(n/2) * time.Hour)}
				if err := tx.InsertProcedureRun(run); err != nil {
					return err
				}
			}
		}
		var turn memory.Turn
		fill(reflect.ValueOf(&turn).Elem(), 7)
		turn.ID, turn.Agent, turn.Index, turn.Details.Classification = "filled", "anna", 0, memory.ClassError
		turn.Damaged = damaged
		turn.Content += " \u2028 and\nmore\n"
		plain := memory.Turn{ID: "plain", Agent: "anna", Session: "s", Content: "hm", SaidAt: start, CreatedAt: start}
		second := plain
		second.ID = "second"
		_, err := tx.InsertTurns([]memory.Turn{turn, plain, second}, nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	// Two records under one external id, linked or not.
	b.mustLoad(t, transfer.Facts, `{"id":"chain","content":"One."}
{"id":"chain","content":"Two."}
{"id":"chain","content":"Three."}`)
	err = b.store.Write(t.Context(), "anna", func(tx memory.Tx) error {
		return tx.InsertRecord(memory.Record{ID: "unlinked", Agent: "anna", Kind: memory.KindFact, Content: "Four.",
			Source:     memory.SourceUser,
			ExternalID: "chain", CreatedAt: start, Confirmations: 1}, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	b.mustLoad(t, transfer.Facts, factLines(600))
	b.mustLoad(t, transfer.Facts, `{"id":"main","content":"Anna plays the oboe."}
{"id":"alias","content":"Anna plays the oboe."}`)
	b.mustLoad(t, transfer.Turns, turnLines(600))
	b.fillPlans(t)
	return b
}

// owned gives records and turns to an agent, to compare them with its own.
func owned(records []memory.Record, turns []memory.Turn, agent string) ([]memory.Record, []memory.Turn) {
	for i := range records {
		records[i].Agent = agent
	}
	for i := range turns {
		turns[i].Agent = agent
	}
	return records, turns
}

func TestBundleRoundTrip(t *testing.T) {
	from := fullBank(t)
	bundle := from.export(t, "anna")
	records, turns := owned(from.records(t, "anna"), from.turns(t, "anna"), "boris")

	to := newBank(t)
	scope := memory.Scope{Agent: "boris", Project: "ignored"}
	report, err := transfer.Import(t.Context(), to.Deps, strings.NewReader(bundle), transfer.Options{Format: transfer.Bundle, Scope: scope})
	if err != nil || report.Records != len(records) || report.Turns != len(turns) || report.Todos != 3 || report.Events != 3 ||
		report.Duplicates != 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	for round := range 2 {
		gotRecords, gotTurns := to.records(t, "boris"), to.turns(t, "boris")
		for i := range records {
			if !reflect.DeepEqual(gotRecords[i], records[i]) {
				t.Fatalf("round %d\ngot  %+v\nwant %+v", round, gotRecords[i], records[i])
			}
		}
		if len(gotRecords) != len(records) || !reflect.DeepEqual(gotTurns, turns) {
			t.Fatalf("round %d: %d records, %d turns", round, len(gotRecords), len(gotTurns))
		}
		again, err := transfer.Import(t.Context(), to.Deps, strings.NewReader(bundle), transfer.Options{Scope: scope})
		if err != nil || again.Created != 0 || again.Duplicates != len(records)+len(turns)+6 {
			t.Errorf("again: %+v, %v", again, err)
		}
	}
	if got := strings.Replace(to.export(t, "boris"), `"boris"`, `"anna"`, 1); got != bundle {
		t.Error("the bundle of the copy differs")
	}
}

// runs returns the runs of every procedure of a bank.
func (b *bank) runs(t testing.TB, agent string) (all []memory.ProcedureRun) {
	t.Helper()
	for _, r := range b.records(t, agent) {
		runs, err := b.store.ProcedureRuns(t.Context(), agent, r.ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, runs...)
	}
	return all
}

func TestBundleOfRuns(t *testing.T) {
	from, to := fullBank(t), newBank(t)
	bundle := from.export(t, "anna")
	for range 2 {
		to.mustLoad(t, transfer.Bundle, bundle)
		if got, want := to.runs(t, "anna"), from.runs(t, "anna"); len(want) != 3 || !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	procedure := from.runs(t, "anna")[0].Procedure
	at, long := start, strings.Repeat("\u2028", 5000) // 15,000 bytes, 30,000 as JSON
	err := from.store.Write(t.Context(), "anna", func(tx memory.Tx) (err error) {
		for n := 0; n < 200 && err == nil; n++ {
			at = at.Add(24 * time.Hour)
			err = tx.InsertProcedureRun(memory.ProcedureRun{Procedure: procedure, Notes: long, At: at})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	many := newBank(t)
	many.mustLoad(t, transfer.Bundle, from.export(t, "anna"))
	if got := many.runs(t, "anna"); len(got) < 30 || len(got) >= 200 || !got[0].At.Equal(at) {
		t.Errorf("%d runs came over, the newest of %v", len(got), got[0].At)
	}
}

func TestBrokenDetails(t *testing.T) {
	b := newBank(t)
	const line = `{"type":"record","id":"a","kind":"%s","content":"x","source":"user","created_at":"2026-03-01T00:00:00Z",%s}`
	for name, c := range map[string]struct{ kind, fields, why string }{
		"of another kind":  {"fact", `"soul":{"type":"fear"}`, "details of another kind"},
		"a type":           {"soul", `"soul":{"type":"hope"}`, `kind "hope" does not exist`},
		"a date":           {"diary", `"diary":{"date":"2026-02-30"}`, "is not a date"},
		"data":             {"diary", `"diary":{"date":"2026-02-28","data":[1]}`, "data is not a JSON object"},
		"steps":            {"procedure", `"procedure":{"name":"n","steps":[{"action":""}]}`, "action of step 1 is empty"},
		"runs of nothing":  {"fact", `"runs":[{"success":true,"at":"2026-03-01T00:00:00Z"}]`, "is no procedure"},
		"a run without at": {"procedure", `"procedure":{"name":"n"},"runs":[{"success":true}]`, "a run has no time"},
		"a wrong type":     {"triple", `"triple":{"subject":1}`, "subject is a number"},
	} {
		_, err := b.load(transfer.Bundle, `{"type":"bundle","version":1}`+"\n"+fmt.Sprintf(line, c.kind, c.fields))
		if memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestACancelledBundleGoesOn(t *testing.T) {
	from := fullBank(t)
	bundle := from.export(t, "anna")
	to := newBank(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := transfer.Import(ctx, to.Deps, strings.NewReader(bundle),
		transfer.Options{Scope: anna, Progress: func(int64, int64) { cancel() }})
	if memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("error %v", err)
	}
	to.mustLoad(t, transfer.Bundle, bundle)
	if !reflect.DeepEqual(from.records(t, "anna"), to.records(t, "anna")) ||
		!reflect.DeepEqual(from.turns(t, "anna"), to.turns(t, "anna")) {
		t.Error("the copy differs")
	}
}

func TestBundleMerges(t *testing.T) {
	from, to := newBank(t), newBank(t)
	from.mustLoad(t, transfer.Facts, `{"id":"a","content":"Theirs."}
{"id":"b","content":"New."}
{"content":"Nameless."}`)
	from.mustLoad(t, transfer.Turns, `{"id":"m","session":"s","text":"theirs"}
{"id":"n","session":"s","text":"new"}`)
	to.mustLoad(t, transfer.Facts, `{"id":"a","content":"Ours."}`)
	to.mustLoad(t, transfer.Turns, `{"id":"m","session":"s","text":"ours"}`)
	report := to.mustLoad(t, transfer.Bundle, from.export(t, "anna"))
	if report.Records != 2 || report.Turns != 1 || report.Duplicates != 2 || report.Created != 3 {
		t.Errorf("%+v", report)
	}
	var contents []string
	for _, r := range to.records(t, "anna") {
		contents = append(contents, r.Content)
	}
	for _, turn := range to.turns(t, "anna") {
		contents = append(contents, turn.Content, fmt.Sprint(turn.Index))
	}
	if got, want := fmt.Sprint(contents), "[Ours. New. Nameless. ours 0 new 1]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTruncatedBundle(t *testing.T) {
	from := newBank(t)
	from.mustLoad(t, transfer.Facts, factLines(700))
	lines := strings.SplitAfter(from.export(t, "anna"), "\n") // header, 700 records, footer, nothing
	for name, c := range map[string]struct {
		text   string
		stored int
		why    string
	}{
		"in a line":            {strings.Join(lines[:600], "") + lines[600][:40], 500, "truncated"},
		"between lines":        {strings.Join(lines[:600], ""), 500, "truncated"},
		"between batches":      {strings.Join(lines[:501], ""), 500, "truncated"},
		"without the footer":   {strings.Join(lines[:701], ""), 500, "truncated"},
		"in the footer":        {strings.Join(lines[:701], "") + lines[701][:12], 500, "truncated"},
		"a line is missing":    {strings.Join(lines[:600], "") + strings.Join(lines[601:], ""), 500, "damaged"},
		"two bundles":          {strings.Join(lines, "") + lines[0], 500, "after the footer"},
		"only a header":        {lines[0], 0, "truncated"},
		"nothing":              {"", 0, "not a bundle"},
		"no header":            {lines[1], 0, "no header"},
		"newer":                {`{"type":"bundle","version":4}`, 0, "version 4"},
		"an unknown line":      {lines[0] + `{"type":"poem"}`, 0, `type "poem"`},
		"a record without id":  {lines[0] + `{"type":"record","content":"x"}`, 0, "no id"},
		"a turn without times": {lines[0] + `{"type":"turn","id":"t","session":"s","content":"x"}`, 0, "no said_at"},
	} {
		t.Run(name, func(t *testing.T) {
			to := newBank(t)
			_, err := to.load(transfer.Bundle, c.text)
			if memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), c.why) {
				t.Errorf("error %v", err)
			}
			if n := len(to.records(t, "anna")); n != c.stored {
				t.Errorf("%d stored, not %d", n, c.stored)
			}
		})
	}
	to := newBank(t)
	text := strings.Join(lines[:600], "") + lines[600][:40]
	report, err := transfer.Import(t.Context(), to.Deps, strings.NewReader(text), transfer.Options{Scope: anna, SkipBad: true})
	if err != nil || report.Records != 599 || report.Skipped != 2 || len(to.records(t, "anna")) != 599 {
		t.Errorf("salvage: %+v, %v", report, err)
	}
}

func TestExportOfNothing(t *testing.T) {
	b := newBank(t)
	var lines, size int64
	var out bytes.Buffer
	report, err := transfer.Export(t.Context(), b.Deps, "nobody", &out, func(l, n int64) { lines, size = l, n })
	if err != nil || report.Records+report.Turns != 0 || lines != 2 || size != int64(out.Len()) {
		t.Errorf("%+v, %v, %d lines, %d of %d bytes", report, err, lines, size, out.Len())
	}
	want := `{"type":"bundle","version":2,"agent":"nobody","exported_at":"2026-03-01T12:00:00Z","schema_version":16}` +
		"\n" // whichever database has it
	if !strings.HasPrefix(out.String(), want) ||
		!strings.HasSuffix(out.String(), `{"type":"footer","records":0,"aliases":0,"turns":0,"todos":0,"events":0}`+"\n") {
		t.Errorf("bundle %s", out.String())
	}
	if report := b.mustLoad(t, "", out.String()); report.Format != transfer.Bundle || report.Read != 0 {
		t.Errorf("%+v", report)
	}
}
