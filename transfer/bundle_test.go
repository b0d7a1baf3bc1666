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
		v.SetString(fmt.Sprintf("text <%d> \u2028 ü\n", n))
	case reflect.Int:
		v.SetInt(int64(n + 2))
	case reflect.Float64:
		v.SetFloat(1 / float64(n+3))
	case reflect.Bool:
		v.SetBool(true)
	}
}

// fullBank has a record of every kind with every field set, chains of
// corrections, what is archived, and turns of several sessions.
func fullBank(t *testing.T) *bank {
	b := newBank(t)
	err := b.store.Write(t.Context(), "anna", func(tx memory.Tx) error {
		for i, kind := range memory.Kinds() {
			var r memory.Record
			fill(reflect.ValueOf(&r).Elem(), 10*i)
			r.ID, r.Agent, r.Kind, r.Source, r.Category = fmt.Sprintf("full-%d", i), "anna", kind, memory.SourceUser, "event"
			r.ValidUntil = r.ValidFrom.Add(time.Hour)
			if err := tx.InsertRecord(r, nil); err != nil {
				return err
			}
		}
		var turn memory.Turn
		fill(reflect.ValueOf(&turn).Elem(), 7)
		turn.Agent, turn.Index = "anna", 0
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
		return tx.InsertRecord(memory.Record{ID: "unlinked", Agent: "anna", Kind: memory.KindFact, Content: "Four.", Source: memory.SourceUser,
			ExternalID: "chain", CreatedAt: start, Confirmations: 1}, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	b.mustLoad(t, transfer.Facts, factLines(600))
	b.mustLoad(t, transfer.Turns, turnLines(600))
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
	if err != nil || report.Records != len(records) || report.Turns != len(turns) || report.Duplicates != 0 {
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
		if err != nil || again.Created != 0 || again.Duplicates != len(records)+len(turns) {
			t.Errorf("again: %+v, %v", again, err)
		}
	}
	if got := strings.Replace(to.export(t, "boris"), `"boris"`, `"anna"`, 1); got != bundle {
		t.Error("the bundle of the copy differs")
	}
}

func TestACancelledBundleGoesOn(t *testing.T) {
	from := fullBank(t)
	bundle := from.export(t, "anna")
	to := newBank(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := transfer.Import(ctx, to.Deps, strings.NewReader(bundle), transfer.Options{Scope: anna, Progress: func(int64, int64) { cancel() }})
	if memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("error %v", err)
	}
	to.mustLoad(t, transfer.Bundle, bundle)
	if !reflect.DeepEqual(from.records(t, "anna"), to.records(t, "anna")) || !reflect.DeepEqual(from.turns(t, "anna"), to.turns(t, "anna")) {
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
		"newer":                {`{"type":"bundle","version":2}`, 0, "version 2"},
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
	want := `{"type":"bundle","version":1,"agent":"nobody","exported_at":"2026-03-01T12:00:00Z","schema_version":` // of the database
	if !strings.HasPrefix(out.String(), want) || !strings.HasSuffix(out.String(), `{"type":"footer","records":0,"turns":0}`+"\n") {
		t.Errorf("bundle %s", out.String())
	}
	if report := b.mustLoad(t, "", out.String()); report.Format != transfer.Bundle || report.Read != 0 {
		t.Errorf("%+v", report)
	}
}
