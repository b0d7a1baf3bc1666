package transfer_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"mcp-memory/memory"
	"mcp-memory/transfer"
)

// exportNotes exports the bank of anna.
func (b *bank) exportNotes(t testing.TB, dir string) transfer.Report {
	t.Helper()
	report, err := transfer.ExportNotes(t.Context(), b.Deps, "anna", dir, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func (b *bank) importNotes(t testing.TB, dir string, o transfer.Options) (transfer.Report, error) {
	t.Helper()
	if o.Scope.Agent == "" {
		o.Scope = anna
	}
	report, err := transfer.ImportNotes(t.Context(), b.Deps, dir, o)
	if stored := report.Records + report.Turns + report.Todos + report.Events; err == nil &&
		report.Created+report.Updated+report.Revived != stored {
		t.Errorf("the counts do not agree: %+v", report)
	}
	return report, err
}

func (b *bank) mustImportNotes(t testing.TB, dir string) transfer.Report {
	t.Helper()
	report, err := b.importNotes(t, dir, transfer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// files returns all files of a folder by their names.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		all[filepath.ToSlash(rel)] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// differing are the names of files that two folders do not have alike.
func differing(a, b map[string]string) (names []string) {
	for name := range a {
		if b[name] != a[name] {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func write(t testing.TB, dir, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// noteWith returns the name of the only file that has a text.
func noteWith(t testing.TB, dir, text string) string {
	t.Helper()
	var found []string
	for name, content := range files(t, dir) {
		if strings.Contains(content, text) && !strings.HasSuffix(name, ".jsonl") {
			found = append(found, name)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%q is in %q", text, found)
	}
	return found[0]
}

func edit(t testing.TB, dir, name, old, replacement string) {
	t.Helper()
	content := files(t, dir)[name]
	if strings.Count(content, old) != 1 {
		t.Fatalf("%s has %q %d times:\n%s", name, old, strings.Count(content, old), content)
	}
	write(t, dir, name, strings.Replace(content, old, replacement, 1))
}

// roundTrip exports a bank, imports that into an empty one, and compares the
// export of that.
func roundTrip(t *testing.T, from *bank) (dir string) {
	t.Helper()
	dir, back := t.TempDir(), t.TempDir()
	from.exportNotes(t, dir)
	first := files(t, dir)
	if again := from.exportNotes(t, dir); again.Written+again.Removed+len(again.Kept) != 0 {
		t.Errorf("exporting again: %+v", again)
	}
	if names := differing(first, files(t, dir)); names != nil {
		t.Errorf("exporting again changed %q", names)
	}
	to := newBank(t)
	to.mustImportNotes(t, dir)
	records, turns := from.records(t, "anna"), from.turns(t, "anna")
	got := to.records(t, "anna")
	byID := func(a, b memory.Record) int { return strings.Compare(a.ID, b.ID) }
	slices.SortFunc(records, byID)
	slices.SortFunc(got, byID)
	for i := range records {
		if i >= len(got) || !reflect.DeepEqual(got[i], records[i]) {
			t.Fatalf("record %d of %d\ngot  %+v\nwant %+v", i, len(got), got[min(i, len(got)-1)], records[i])
		}
	}
	if n := len(to.turns(t, "anna")); n != len(turns) {
		t.Errorf("%d of %d turns", n, len(turns))
	}
	to.exportNotes(t, back)
	for _, name := range differing(first, files(t, back)) {
		t.Errorf("%s differs:\n%s\n---- and\n%s", name, first[name], files(t, back)[name])
		break
	}
	if again, err := to.importNotes(t, dir, transfer.Options{}); err != nil || again.Created+again.Updated != 0 {
		t.Errorf("importing again: %+v, %v", again, err)
	}
	return dir
}

func TestNotesRoundTrip(t *testing.T) {
	from := fullBank(t)
	dir := roundTrip(t, from)
	seen := map[string]bool{}
	for name := range files(t, dir) {
		if lower := strings.ToLower(name); seen[lower] || len(filepath.Base(name)) > 200 || strings.ContainsAny(name, `<>:"\|?* `) {
			t.Errorf("%q is a bad name", name)
		} else {
			seen[lower] = true
		}
	}
	for _, folder := range []string{"fact", "procedure", "diary", "soul", "todos", "calendar", "conversations"} {
		if entries, err := os.ReadDir(filepath.Join(dir, folder)); err != nil || len(entries) == 0 {
			t.Errorf("%s: %d, %v", folder, len(entries), err)
		}
	}
}

// strange are texts that files and YAML have trouble with.
var strange = []string{
	"plain words", "---\nid: x\n---\n", "\n leading and trailing \n\n", "a\r\nb\rc",
	"\ttab", "# Heading\n\n- a\n- b", "true", "null", "~", "12", "1e3", "0x1f",
	"2026-03-01", "a: b", "- a", "[x]", "{x}", "'", `"`, `\`, "%%", "[[link]]", "#tag",
	"&a *a", "!tag", "|", ">", "@", "`", "a #b", "ü 😀 \u2028\u2029\u0085\ufeff\u200b\u202e",
	"\x01\x7f", "日本語のメモ", "CON", "nul.", "a/b\\c:d*e?f", "É\u0301e", "mcp_memory: record",
	"content\n---", "…", " ", "\\n", "𝔘", "YES", "=", "<<", "1_000", "1:30",
}

func anyText(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(3) {
		b.WriteString(strange[r.IntN(len(strange))])
	}
	if r.IntN(4) == 0 {
		for range r.IntN(20) {
			if c := rune(r.IntN(0x3000)); c > 0 && utf8.ValidRune(c) {
				b.WriteRune(c)
			}
		}
	}
	return b.String()
}

// anyJSON is an object as somebody may have written it.
func anyJSON(r *rand.Rand) json.RawMessage {
	value, _ := json.Marshal(anyText(r))
	forms := []string{`{"a":%s}`, `{"b":[1,2.50,1e400,-0,%s],"a":null}`, `{"x":{"y":{"z":[[],{},%s]}}}`, `{"a":1,"a":%s}`,
		`{"big":12345678901234567890123,"s":%s}`, `{"":%s,"true":true}`}
	return json.RawMessage(fmt.Sprintf(forms[r.IntN(len(forms))], value))
}

// anyBank is full of strange things that refer to each other.
func anyBank(t *testing.T, seed uint64) *bank {
	b := newBank(t)
	r := rand.New(rand.NewPCG(seed, 1))
	ids := []string{}
	err := b.store.Write(t.Context(), "anna", func(tx memory.Tx) error {
		for i := range 40 {
			var record memory.Record
			fill(reflect.ValueOf(&record).Elem(), i)
			allowed(&record, memory.Kinds()[r.IntN(len(memory.Kinds()))])
			sum := sha256.Sum256(fmt.Append(nil, seed, i))
			record.ID, record.Agent = fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16]), "anna"
			if r.IntN(3) == 0 {
				record.ID = fmt.Sprintf("Rec.%d", i)
			}
			record.Content, record.Tags = fmt.Sprint(anyText(r), i), []string{strings.TrimSpace("t " + memory.Line(anyText(r)))}
			record.Metadata, record.Provenance, record.ExternalID = anyJSON(r), anyJSON(r), fmt.Sprint(memory.Line(anyText(r)), i)
			record.Supersedes, record.SupersededBy, record.Project = "", "", strings.TrimSpace(memory.Line(anyText(r)))
			if r.IntN(2) == 0 {
				record.ArchivedAt, record.ArchiveWhy = time.Time{}, ""
			}
			if len(ids) > 0 && r.IntN(2) == 0 {
				record.Supersedes = ids[r.IntN(len(ids))]
				record.Provenance, _ = json.Marshal(map[string]string{"record": ids[r.IntN(len(ids))]})
			}
			if record.Summary != nil {
				record.Summary.Covers = append([]string{"of-another-bank"}, ids...)
			}
			if record.Triple != nil {
				record.Triple.Object = anyText(r)
			}
			if record.Diary != nil {
				record.Diary.Date, record.Diary.Data = fmt.Sprintf("2026-01-%02d", 1+i%28), anyJSON(r)
			}
			if err := tx.InsertRecord(record, nil); err != nil {
				return err
			}
			if err := tx.NameRecord(fmt.Sprint("alias ", memory.Line(anyText(r)), i), record.ID); err != nil {
				return err
			}
			ids = append(ids, record.ID)
		}
		var turns []memory.Turn
		for i := range 30 {
			turns = append(turns,
				memory.Turn{ID: fmt.Sprint("turn", i), Agent: "anna", Session: strings.TrimSpace(memory.Line(strange[i%4])),
					Content: anyText(r) + "x",
					SaidAt:  start, CreatedAt: start.Add(time.Duration(i) * time.Second), ExternalID: fmt.Sprint("e", i)})
		}
		_, err := tx.InsertTurns(turns, nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAnyBankComesBackFromNotes(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { roundTrip(t, anyBank(t, seed)) })
	}
}

func TestNotesOfAnEmptyBank(t *testing.T) {
	b := newBank(t)
	dir := t.TempDir()
	b.exportNotes(t, dir)
	if got := slices.Collect(maps.Keys(files(t, dir))); !slices.Equal(got, []string{"README.md"}) {
		t.Errorf("%q", got)
	}
	if report := b.mustImportNotes(t, dir); report.Read != 0 {
		t.Errorf("%+v", report)
	}
}

func TestNotesThatAreCalledTheSame(t *testing.T) {
	b := newBank(t)
	err := b.store.Write(t.Context(), "anna", func(tx memory.Tx) error {
		for i, content := range []string{"ÉTÉ", "ete", "Ete!", "E.T.E"} {
			r := memory.Record{ID: fmt.Sprintf("01a20392-f6c4-7000-b45%d-b6a774bb13f7", i), Agent: "anna", Kind: memory.KindFact,
				Content: content,
				Source:  memory.SourceUser, CreatedAt: start, Confirmations: 1}
			if i > 1 {
				r.Supersedes = "01a20392-f6c4-7000-b450-b6a774bb13f7"
			}
			if err := tx.InsertRecord(r, nil); err != nil {
				return err
			}
			if err := tx.InsertTodo(memory.Todo{ID: r.ID, Agent: "anna", Title: content, Priority: memory.PriorityHigh,
				CreatedAt: start}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := roundTrip(t, b)
	if n := len(files(t, dir)); n != 1+4+4 {
		t.Errorf("%d files: %q", n, slices.Sorted(maps.Keys(files(t, dir))))
	}
}
