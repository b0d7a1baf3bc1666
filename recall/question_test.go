package recall

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy"
)

// noon is the moment of the questions, a Sunday.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// fixed embeds every query alike, or fails.
type fixed struct {
	memory.Embedder
	err error
}

func (f fixed) EmbedQuery(context.Context, string) ([]float32, error) { return []float32{1}, f.err }
func (f fixed) Local() bool                                           { return true }

// understanding is a service that can only read questions.
func understanding(err error, without ...string) *Service {
	return New(Options{Store: &shelf{},
		Embedder: fixed{err: err}, Table: semantics.Builtin,
		Categories: taxonomy.New(memory.DefaultCategories(), semantics.Builtin), Without: without,
		Clock: func() time.Time { return noon }, Log: slog.New(slog.DiscardHandler),
	})
}

func TestUnderstand(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 2, d, 0, 0, 0, 0, time.UTC) }
	for query, want := range map[string]struct {
		stems         string
		words, parts  string
		when          bool
		asksAssistant bool
		times         []index.Span
	}{
		"Where is the old ferry?":       {stems: "old ferri", words: "old ferry", parts: "ferry"},
		"When did Anna sell the ferry?": {stems: "anna sell ferri", words: "anna sell ferry", parts: "anna sell ferry", when: true},
		"What did you recommend for paint?": {stems: "recommend paint", words: "recommend paint", parts: "recommend paint",
			asksAssistant: true},
		"What did Anna say about vat_rate?": {stems: "anna vat rate", words: "anna vat rate",
			parts: "anna vat_rate"}, // without its framing
		"Anna's ferry yesterday": {
			stems: "anna ferri yesterdai", words: "anna ferry yesterday",
			parts: "anna ferry yesterday", times: []index.Span{{From: day(28), To: day(29)}},
		},
		"the ferry before 2020": {stems: "ferri 2020", words: "ferry 2020", parts: "ferry 2020"}, // most of the time is no time
		"ferry, ferry!":         {stems: "ferri ferri", words: "ferry", parts: "ferry"},
		"is it so?":             {words: "is it so"},
	} {
		q, err := understanding(nil).understand(t.Context(), Request{Query: query, Scope: memory.Scope{Agent: "ann"}})
		if err != nil {
			t.Errorf("%q: %v", query, err)
			continue
		}
		if got := strings.Join(q.stems, " "); got != want.stems || len(q.stemmed) != len(q.stems) {
			t.Errorf("%q: the stems are %q of %q", query, got, q.stemmed)
		}
		if got := strings.Join(q.words, " "); got != want.words {
			t.Errorf("%q: the words are %q", query, got)
		}
		if got := strings.Join(q.parts, " "); got != want.parts {
			t.Errorf("%q: the parts are %q", query, got)
		}
		if q.when != want.when || q.asksAssistant != want.asksAssistant || !slices.Equal(q.times, want.times) {
			t.Errorf("%q: when %v, asks the assistant %v, times %v", query, q.when, q.asksAssistant, q.times)
		}
		// What has no content is not looked for at all.
		if some := want.stems != ""; (q.vector != nil) != some || q.summed != some || (len(q.categories) > 0) != some {
			t.Errorf("%q: vector %v, summed %v, categories %v", query, q.vector, q.summed, q.categories)
		}
	}
}

// What was asked for is passed on; what was not has a default.
func TestRequestDefaults(t *testing.T) {
	scope := memory.Scope{Agent: "ann", Project: "p"}
	q, err := understanding(nil).
		understand(t.Context(), Request{Query: "ferry", Scope: scope, Filter: memory.Filter{Agent: "bob", Projects: []string{"secret"}}})
	if err != nil || q.Limit != 10 || !q.Now.Equal(noon) || !slices.Equal(q.Corpora, []memory.Corpus{memory.Memories}) || q.flat {
		t.Errorf("%+v, %v", q.Request, err)
	}
	if f := q.Filter; f.Agent != "ann" || !slices.Equal(f.Projects, []string{"", "p"}) || !f.Now.Equal(noon) {
		t.Errorf("the filter is %+v", f)
	}
	later := noon.AddDate(0, 1, 0)
	asked := Request{Query: "ferry", Scope: scope, Limit: 100, Now: later, Corpora: []memory.Corpus{memory.Conversations},
		MinScore: 0.3, Tokens: 7}
	q, err = understanding(nil, tiers).understand(t.Context(), asked)
	if err != nil || q.Limit != 100 || !q.Now.Equal(later) || !slices.Equal(q.Corpora, asked.Corpora) || q.MinScore != 0.3 ||
		q.Tokens != 7 || !q.flat {
		t.Errorf("%+v, %v", q.Request, err)
	}
	// "Yesterday" counts from the moment that is asked about.
	q, err = understanding(nil).
		understand(t.Context(), Request{Query: "the ferry yesterday", Scope: scope, Filter: memory.Filter{AsOf: noon.AddDate(-1, 0, 0)}})
	want := []index.Span{{From: time.Date(2025, 2, 28, 0, 0, 0, 0, time.UTC), To: time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC)}}
	if err != nil || !slices.Equal(q.times, want) {
		t.Errorf("as of a year ago yesterday is %v, %v", q.times, err)
	}
}

func TestRefusedRequests(t *testing.T) {
	for name, c := range map[string]struct {
		request Request
		want    memory.Code
	}{
		"empty":          {Request{}, memory.CodeInvalidArgument},
		"blank":          {Request{Query: " \n\u3000"}, memory.CodeInvalidArgument},
		"too long":       {Request{Query: strings.Repeat("x", memory.MaxQueryBytes+1)}, memory.CodeTooLarge},
		"not text":       {Request{Query: "\xff"}, memory.CodeInvalidArgument},
		"negative limit": {Request{Query: "x", Limit: -1}, memory.CodeInvalidArgument},
		"high limit":     {Request{Query: "x", Limit: 101}, memory.CodeInvalidArgument},
	} {
		if _, err := understanding(nil).understand(t.Context(), c.request); memory.CodeOf(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// A question whose embedder is away is asked by its words.
func TestUnderstandWithoutVector(t *testing.T) {
	q, err := understanding(errors.New("away")).understand(t.Context(), Request{Query: "Where is the ferry?"})
	if err != nil || q.vector != nil || q.summed || !slices.Equal(q.stems, []string{"ferri"}) {
		t.Errorf("%+v, %v", q, err)
	}
}

// Of a pasted log the beginning and the end count, cut between words.
func TestShortened(t *testing.T) {
	short := strings.Repeat("x ", (maxOpening+maxEnding)/2)
	if got := shortened(short); got != short {
		t.Errorf("%d bytes became %d", len(short), len(got))
	}
	long := strings.Repeat("abc ", 500) + "middle " + strings.Repeat("defg ", 500)
	got := shortened(long)
	if len(got) > maxOpening+maxEnding+1 || !strings.HasPrefix(got, "abc abc ") || !strings.HasSuffix(got, " defg ") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
	for _, word := range strings.Fields(got) {
		if !slices.Contains([]string{"abc", "middle", "defg"}, word) {
			t.Errorf("cut in the middle of a word: %q", word)
		}
	}
}
