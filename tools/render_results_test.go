package tools

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/render"
)

// document is a record as an answer has it.
func document(id, content string, edit func(*recall.Result)) recall.Result {
	r := recall.Result{Score: 0.5}
	r.Corpus, r.ID, r.Kind, r.Category, r.Content, r.Source = memory.Memories, id, memory.KindFact, "technical", content, memory.SourceUser
	r.CreatedAt = time.Date(2026, 4, 1, 23, 30, 0, 0, time.UTC)
	edit(&r)
	return r
}

// The text says whom a memory is from, what is outdated, whether a date is when it
// happened, and how sure the answer is; line breaks stay. Days are the user's.
func TestRecallText(t *testing.T) {
	at := func(month time.Month) time.Time { return time.Date(2025, month, 2, 0, 0, 0, 0, time.UTC) }
	clock := memory.Clock(func() time.Time { return time.Date(2026, 5, 1, 0, 0, 0, 0, time.FixedZone("", 60*60)) })
	answer := recall.Answer{Confidence: recall.Low, Results: []recall.Result{
		document("b", "Run:\n\tmake all", func(r *recall.Result) {
			r.Earlier = []recall.Version{{ID: "c", Content: "Run make", From: at(1), Until: at(3)},
				{ID: "d", Content: "Run it", From: at(1), Until: at(2)}}
		}),
		document("a", "Run make", func(r *recall.Result) { r.OccurredAt, r.OutdatedBy, r.Source = at(4), "b", memory.SourceLink }),
		document("e", "Run make twice",
			func(r *recall.Result) { r.SupersededBy, r.ValidUntil, r.Source = "b", at(5), memory.SourceImport }),
		document("f", "Use ninja", func(r *recall.Result) {
			r.Tags, r.ValidUntil, r.Source = []string{"Rejected"}, at(6), memory.SourceTool
		}),
		document("g", "We decided against bazel", func(r *recall.Result) { r.Source = memory.SourceAgent }),
		document("h", "Use cmake", func(r *recall.Result) { r.Metadata = json.RawMessage(`{"status": "rejected"}`) }),
		document("i", "hm", func(r *recall.Result) {
			r.Corpus, r.Kind, r.Speaker, r.Session, r.Source, r.OccurredAt = memory.Conversations, memory.KindTurn, "Mia", "s1", "", at(7)
		}),
	}}
	want := `Not sure: this may answer it, or only be about something like it.
1. Run:
   	make all [fact, technical, saved 2026-04-02, 28 days ago, from user, score 0.50, id b]
   earlier: Run make (until 2025-03-02); Run it (until 2025-02-02)
2. Run make [fact, technical, happened 2025-04-02, 13 months ago, from link, score 0.50, id a, outdated by b]
3. Run make twice [fact, technical, saved 2026-04-02, 28 days ago, from import, score 0.50, id e, outdated since 2025-05-02 by b]
4. Use ninja [fact, technical, saved 2026-04-02, 28 days ago, from tool, #Rejected, score 0.50, id f, no longer true since 2025-06-02, rejected]
5. We decided against bazel [fact, technical, saved 2026-04-02, 28 days ago, from agent, score 0.50, id g, rejected]
6. Use cmake [fact, technical, saved 2026-04-02, 28 days ago, from user, score 0.50, id h, rejected]
7. hm [turn, Mia in s1, said 2025-07-02, 10 months ago, score 0.50, id i]`
	if got := resultsText(answer, indented, render.Words{Clock: clock}); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	answer.Confidence = recall.High
	if got := resultsText(answer, indented, render.Words{Clock: clock}); !strings.HasPrefix(got, "This very likely answers it.\n1. Run:") {
		t.Errorf("sure of it: %s", got)
	}
}

// A search shows short contents whole and of long ones the lines that fit, code as
// it is written.
func TestPassage(t *testing.T) {
	code := "Deploy like this:\n```sh\ngit pull\n\tmake deploy\n```"
	if got := passage(code, "deploy"); got != "Deploy like this:\n   ```sh\n   git pull\n   \tmake deploy\n   ```" {
		t.Errorf("%q", got)
	}
	long := strings.Repeat("A line about nothing.\n", 40) + "The harbour\n\tcloses at nine.\n" + strings.Repeat("More of nothing.\n", 40)
	got := passage(long, "When does the harbour close?")
	if !strings.HasPrefix(got, "…\n   The harbour\n   \tcloses at nine.\n   More") || len([]rune(got)) > maxPassage+200 ||
		!strings.HasSuffix(got, "…") {
		t.Errorf("%q", got)
	}
	if got := passage(strings.Repeat("Words without end ", 80), "end"); strings.Contains(got, "\n") || len([]rune(got)) > 300 {
		t.Errorf("%q", got)
	}
}

// What somebody fetches counts as an access, once a session, and what an answer
// that is not sure has shown does not.
func TestFetchingReinforces(t *testing.T) {
	r := newRig(t)
	id := func(content string) string {
		var saved struct{ ID string }
		r.must("memory_save", `{"content":`+string(quote(content))+`}`, &saved)
		return saved.ID
	}
	harbour, parrot := id("The harbour closes at nine."), id("The parrot Bob speaks Dutch.")
	accesses := func(id string) int {
		records, err := r.store.Records(t.Context(), "ann", []string{id})
		if err != nil || len(records) != 1 {
			t.Fatal(records, err)
		}
		return records[0].AccessCount
	}
	var answer struct{ Confidence string }
	r.must("memory_recall", `{"query":"What is the boiling point of quicksilver on the moon?","min_score":0}`, &answer)
	if n := accesses(harbour) + accesses(parrot); n != 0 || answer.Confidence == "high" || answer.Confidence == "medium" {
		t.Errorf("%d accesses at confidence %s", n, answer.Confidence)
	}
	r.must("memory_recall", `{"query":"When does the harbour close?"}`, &answer)
	if n := accesses(harbour); n != 1 {
		t.Errorf("%d accesses of what was shown at confidence %s", n, answer.Confidence)
	}
	for range 2 {
		r.must("memory_get", `{"ids":["`+parrot+`"]}`, &answer)
	}
	if n := accesses(parrot); n != 1 {
		t.Errorf("%d accesses of what was fetched", n)
	}
}
