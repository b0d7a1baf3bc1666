package transfer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/transfer"
)

func TestImportOfAVault(t *testing.T) {
	b := newBank(t)
	dir := t.TempDir()
	write(t, dir, "Work/Billing.md",
		"---\ntags: work, money\nid: 17\ncreated: 2025-04-05\n---\n# Billing service\n\nWe use PostgreSQL.\n\n## Deploy\n\n```sh\n# not a heading\nmake\n```\n\n## People\n\n- Tom leads it\n- [ ] Priya reviews\n  every Friday\n")
	write(t, dir, "2026-01-02.md", "Saw the dentist. Next: [[Dentist]].\n")
	write(t, dir, "empty.md", "\n")
	write(t, dir, ".obsidian/x.md", "hidden")
	write(t, dir, "Templates/t.md", "{{title}}")
	write(t, dir, "image.png", "\x00\x01")
	write(t, dir, "draw.md", "---\nexcalidraw-plugin: parsed\n---\nx")
	write(t, dir, "crlf.md", "\xef\xbb\xbfOne line.\r\nAnother.\r\n")
	want := []string{
		"Saw the dentist. Next: [[Dentist]].", "Billing service: We use PostgreSQL.",
		"Billing service › Deploy\n\n```sh\n# not a heading\nmake\n```",
		"Billing service › People: Tom leads it",
		"Billing service › People\n\nPriya reviews\n  every Friday", "crlf\n\nOne line.\nAnother.",
	}
	report := b.mustImportNotes(t, dir)
	got := b.contents(t)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || report.Created != len(want) {
		t.Errorf("%q, %+v", got, report)
	}
	for _, r := range b.records(t, "anna") {
		switch {
		case strings.HasPrefix(r.Content, "Billing") &&
			(!slices.Equal(r.Tags, []string{"work", "money"}) || r.OccurredAt.Format("2006-01-02") != "2025-04-05" ||
				!strings.Contains(string(r.Provenance), "Work/Billing.md")):
			t.Errorf("%+v", r)
		case strings.HasPrefix(r.Content, "Saw") && r.OccurredAt.Format("2006-01-02") != "2026-01-02":
			t.Errorf("%+v", r)
		}
	}
	edit(t, dir, "Work/Billing.md", "PostgreSQL", "SQLite")
	again := b.mustImportNotes(t, dir)
	if again.Updated != 1 || again.Created != 0 || again.Duplicates != len(want)-1 || again.UndoID == "" {
		t.Errorf("%+v", again)
	}
	if third := b.mustImportNotes(t, dir); third.Updated+third.Created != 0 {
		t.Errorf("%+v", third)
	}
}

func TestBadNotes(t *testing.T) {
	const good = "---\nmcp_memory: record\nid: a1\nkind: fact\ncategory: other\nimportance: 0.5\nsource: user\ncreated_at: 2026-03-01T00:00:00Z\nconfirmations: 1\n---\nGood.\n"
	session := `{"type":"session","session":"s","checksum":""}` + "\n"
	for name, c := range map[string]struct{ file, content, why string }{
		"broken YAML":       {"bad.md", "---\ntitle: x\ntags: [\n---\nText\n", "bad.md:3: the front matter is not YAML"},
		"a bomb":            {"bad.md", "---\na: &a [x,x]\nb: [*a,*a]\n---\nText\n", "bad.md:2: the front matter has aliases"},
		"a list":            {"bad.md", "---\n- a\n---\nText\n", "bad.md:2: the front matter"},
		"the same id twice": {"bad.md", good, "bad.md:3: a.md has the id a1 too"},
		"a kind":            {"bad.md", strings.NewReplacer("fact", "fancy", "a1", "a2").Replace(good), "bad.md:4: kind"},
		"a time":            {"bad.md", strings.NewReplacer("2026-03-01T00:00:00Z", "soon", "a1", "a2").Replace(good), "bad.md:"},
		"no time":           {"bad.md", strings.NewReplacer("created_at", "made_at", "a1", "a2").Replace(good), "no created_at"},
		"a type":            {"bad.md", "---\nmcp_memory: memory\n---\nText\n", `bad.md:2: mcp_memory "memory" is not one of`},
		"a kind to add": {"bad.md", "---\nmcp_memory: record\nkind: soul\n---\nText\n",
			"bad.md:3: a note of kind soul cannot be added"},
		"binary":         {"bad.md", "PNG\n\x00", "bad.md:2: the file is binary"},
		"Latin-1":        {"bad.md", "one\ntwo\ncaf\xe9\n", "bad.md:3: the line is not valid UTF-8"},
		"too long":       {"bad.md", "", "bad.md: the note is 52428800 bytes long"},
		"a long section": {"bad.md", "# T\n\n" + strings.Repeat("word ", 8000), "bad.md:3: content is"},
		"a broken message": {"conversations/s.jsonl", session + `{"type":"turn","id":"t"` + "\n",
			"conversations/s.jsonl:2: the line ends in the middle"},
		"a nameless message": {"conversations/s.jsonl", session + "\n" + `{"type":"turn","content":"x"}` + "\n",
			"conversations/s.jsonl:3: the turn has no id"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBank(t)
			dir := t.TempDir()
			write(t, dir, "a.md", good)
			write(t, dir, "fine.md", "A fine note.")
			write(t, dir, c.file, c.content)
			if c.content == "" { // zeros that take no room
				if err := os.Truncate(filepath.Join(dir, c.file), 50<<20); err != nil {
					t.Fatal(err)
				}
			}
			report, err := b.importNotes(t, dir, transfer.Options{})
			if memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%v", err)
			}
			if n := len(b.records(t, "anna")); n != 0 || report.Created != 0 {
				t.Errorf("%d records in spite of it", n)
			}
			report, err = b.importNotes(t, dir, transfer.Options{SkipBad: true})
			if err != nil || report.Created != 2 || report.Skipped != 1 || len(report.Bad) != 1 ||
				!strings.HasSuffix(c.file, report.Bad[0].File) {
				t.Errorf("skipping: %+v, %v", report, err)
			}
		})
	}
}

func TestNotesNeverLeaveTheFolder(t *testing.T) {
	b := newBank(t)
	dir, outside := t.TempDir(), t.TempDir()
	write(t, outside, "secret.md", "Secret.")
	write(t, dir, "fine.md", "A fine note.")
	for i, target := range []string{filepath.Join(outside, "secret.md"), outside, "fine.md"} {
		name := filepath.Join(dir, fmt.Sprintf("link%d", i))
		if !strings.HasSuffix(target, outside) {
			name += ".md"
		}
		if err := os.Symlink(target, name); err != nil {
			t.Skip(err)
		}
		if _, err := b.importNotes(t, dir, transfer.Options{}); err == nil || !strings.Contains(err.Error(), "symbolic link") {
			t.Errorf("%s: %v", target, err)
		}
	}
	report, err := b.importNotes(t, dir, transfer.Options{SkipBad: true})
	if err != nil || report.Created != 1 || report.Skipped != 3 || !slices.Equal(b.contents(t), []string{"fine: A fine note."}) {
		t.Errorf("%+v, %v: %q", report, err, b.contents(t))
	}
}

func TestNotesThatNobodyMayEditSo(t *testing.T) {
	b := newBank(t)
	b.mustLoad(t, transfer.Facts, `{"id":"x","content":"Anna plays the oboe."}`)
	b.mustLoad(t, transfer.Facts, `{"id":"x","content":"Anna plays the bassoon."}`)
	err := b.store.Write(t.Context(), "anna", func(tx memory.Tx) error {
		return tx.InsertRecord(memory.Record{ID: "soul", Agent: "anna", Kind: memory.KindSoul, Content: "I am honest.",
			Source: memory.SourceAgent, CreatedAt: start,
			Confirmations: 1, KindDetails: memory.KindDetails{Soul: &memory.SoulDetails{Type: memory.SoulFear}}}, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	for text, why := range map[string]string{"oboe.\n": "the note is history", "honest.\n": "is made of its fields"} {
		dir := t.TempDir()
		b.exportNotes(t, dir)
		edit(t, dir, noteWith(t, dir, text), text, "else entirely.\n")
		before := b.contents(t)
		if _, err := b.importNotes(t, dir, transfer.Options{}); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v", text, err)
		}
		if !slices.Equal(b.contents(t), before) {
			t.Errorf("%q changed the bank", text)
		}
	}
}
