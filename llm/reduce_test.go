package llm_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcp-memory/llm"
	"mcp-memory/memory"
)

const ceiling = 500

var numbers = regexp.MustCompile(`(?m)^#(\d+) `)

// checkSizes counts each request as a model would.
func checkSizes(t *testing.T, requests []body, limit int) {
	t.Helper()
	for i, r := range requests {
		used := 0
		for _, m := range r.Messages {
			used += counter.Count(m.Content) + 4
		}
		if used > limit {
			t.Errorf("request %d has %d tokens, at most %d are allowed", i, used, limit)
		}
	}
}

// conversation is too long for one request, with a turn that is so by itself.
func conversation() []memory.Turn {
	var texts []string
	for i := range 12 {
		texts = append(texts,
			fmt.Sprintf("Message %d, a fact that is the same everywhere, says that the server named alpha%d listens on port %d in the data centre at Falkenstein.", i, i, 8000+i))
	}
	texts[5] = "A fact of 5. " + strings.Repeat("The same long log line, again and again: 你好世界, naïve café. ", 60)
	texts[8] = "A fact of 8. " + strings.Repeat("unbroken", 300)
	return talk(texts...)
}

func TestExtractInParts(t *testing.T) {
	for _, limit := range []int{ceiling, 1200} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) { extractInParts(t, limit) })
	}
}

func extractInParts(t *testing.T, limit int) {
	server := serve(t, func(n int, r request, w http.ResponseWriter, _ *http.Request) {
		var facts []string
		for _, m := range numbers.FindAllStringSubmatch(r.Body.Messages[1].Content, -1) {
			facts = append(facts, fmt.Sprintf(`{"content":"Fact of %s.","turn":%s}`, m[1], m[1]),
				`{"content":"The same everywhere","turn":99}`)
		}
		if n == 1 && len(r.Body.Messages) == 2 {
			stream(w, strings.Repeat("This is no JSON at all, but long. ", 100))
			return
		}
		stream(w, `{"facts":[`+strings.Join(facts, ",")+`]}`)
	})
	facts, err := summarizer(t, server, llm.Options{MaxInput: limit}).Extract(t.Context(), memory.ExtractRequest{
		Turns: conversation(), Known: strings.Repeat("- The sky is blue.\n", 200), Now: now,
	})
	if err != nil {
		t.Fatal(err)
	}
	requests := server.got()
	checkSizes(t, requests, limit)
	var want []string
	for i := range 12 {
		want = append(want, fmt.Sprintf("Fact of %d.", i))
		if i == 0 {
			want = append(want, "The same everywhere")
		}
	}
	if got := contentsOf(facts); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	var all strings.Builder
	whole := 0
	for _, r := range requests {
		data := r.Messages[1].Content
		_, data, _ = strings.Cut(data, "\nBEGIN ")
		if len(r.Messages) == 2 {
			all.WriteString(data)
		}
		whole += strings.Count(data, "Falkenstein.\n")
	}
	if whole < 10 {
		t.Errorf("%d short messages arrived whole", whole)
	}
	if n := strings.Count(all.String(), "long log line"); n < 58 || n > 60 { // some are cut in the middle
		t.Errorf("%d of 60 sentences of the long message were sent", n)
	}
	if n := strings.Count(strings.NewReplacer("\n", "", " … ", "").Replace(all.String()), "broken"); n < 250 {
		t.Errorf("%d of 300 words of the unbroken message were sent", n)
	}
}

func TestSummarizeInRounds(t *testing.T) {
	merges := 0
	server := serve(t, func(_ int, r request, w http.ResponseWriter, _ *http.Request) {
		summary := strings.Repeat("A part of the conversation is summarised here. ", 30)
		if strings.HasPrefix(r.Body.Messages[0].Content, "Make one summary") {
			merges++
			summary = strings.Repeat("It is merged. ", 200)
		}
		stream(w, `{"summary":"`+summary+`"}`)
	})
	summary, err := summarizer(t, server, llm.Options{MaxInput: ceiling}).Summarize(t.Context(), memory.SummaryRequest{
		Turns: conversation(), Earlier: strings.Repeat("Earlier they met. ", 100),
		Focus: strings.Repeat("服务器", 100), MaxTokens: 120, Sentences: 20, Now: now,
	})
	if err != nil {
		t.Fatal(err)
	}
	checkSizes(t, server.got(), ceiling)
	if !strings.HasPrefix(summary, "It is merged.") || !strings.HasSuffix(summary, "merged.") || counter.Count(summary) > 120 ||
		strings.Count(summary, ".") > 20 {
		t.Errorf("%q has %d tokens", summary, counter.Count(summary))
	}
	if merges < 2 {
		t.Errorf("%d merges, several rounds are expected", merges)
	}
	if strings.Contains(server.got()[0].Messages[0].Content, "20 sentences") {
		t.Error("a part is to be as short as the whole")
	}
	first := server.got()[0].Messages[1].Content
	if !strings.Contains(first, "[summary of what came before] Earlier they met.") {
		t.Errorf("the earlier summary is not in front:\n%s", first)
	}
	if last := server.got()[len(server.got())-1].Messages[0].Content; !strings.Contains(last, "2 to 20 sentences, at most 80 words") {
		t.Errorf("the last merge:\n%s", last)
	}
}

func TestSummarizeOnce(t *testing.T) {
	server := serve(t,
		says("<think>\nShort: {\"summary\":\"draft\"}\n</think>\n{\"summary\":\"Anna prefers tea.\\n\\nShe said so on \\u0000Monday.\"}"))
	d := summarizer(t, server, llm.Options{})
	summary, err := d.Summarize(t.Context(), memory.SummaryRequest{
		Texts: []memory.DatedText{{Text: "Anna: tea", At: now}, {Text: " "}, {Text: "Berta: coffee"}},
		Focus: "drinks\nEND", MaxTokens: 3000,
	})
	if err != nil || summary != "Anna prefers tea.\n\nShe said so on Monday." {
		t.Errorf("%q, %v", summary, err)
	}
	r := server.got()[0]
	if !strings.Contains(r.Messages[1].Content, "\n- [2025-01-15] Anna: tea\n- Berta: coffee\nEND ") {
		t.Errorf("data:\n%s", r.Messages[1].Content)
	}
	if system := r.Messages[0].Content; !strings.Contains(system, "the notes") ||
		!strings.Contains(system, "Pay attention to: drinks END\n") || r.MaxTokens != 6000 {
		t.Errorf("%d tokens:\n%s", r.MaxTokens, system)
	}
}

func TestSummaryIsCut(t *testing.T) {
	list := strings.Repeat("- Tea is preferred by Anna; Dr. Smith prefers v1.2 of it.\n", 40)
	for name, c := range map[string]struct {
		says      string
		sentences int
		ends      string
	}{
		"between sentences": {strings.Repeat("Anna prefers green tea. ", 100), 0, "tea."},
		"to sentences":      {strings.Repeat("Anna prefers green tea. ", 100), 3, "tea."},
		"between lines":     {list, 0, "of it."},
		"between words":     {strings.Repeat("tea and ", 400), 0, "…"},
		"somewhere":         {strings.Repeat("茶", 400), 0, "…"},
		"a megabyte":        {long[:1<<20], 0, "…"},
		"not at all":        {"Anna prefers tea", 0, "tea"},
	} {
		t.Run(name, func(t *testing.T) {
			d := summarizer(t, serve(t, says(fmt.Sprintf(`{"summary":%q}`, c.says))), llm.Options{})
			summary, err := d.Summarize(t.Context(), memory.SummaryRequest{Turns: talk("a"), MaxTokens: 60, Sentences: c.sentences})
			if err != nil {
				t.Fatal(err)
			}
			if n := counter.Count(summary); n > 60 || !strings.HasSuffix(summary, c.ends) || c.ends == "…" && n < 30 {
				t.Errorf("%d tokens: %q", n, summary)
			}
			if c.sentences > 0 && strings.Count(summary, "tea.") != c.sentences {
				t.Errorf("%q", summary)
			}
		})
	}
}

func TestSummarizeRefusesAndSpares(t *testing.T) {
	server := serve(t, says(`{"summary":""}`))
	d := summarizer(t, server, llm.Options{})
	if _, err := d.Summarize(t.Context(),
		memory.SummaryRequest{Turns: talk("a"), MaxTokens: 49}); memory.CodeOf(err) != memory.CodeInvalidArgument {
		t.Errorf("49 tokens: %v", err)
	}
	summary, err := d.Summarize(t.Context(), memory.SummaryRequest{Earlier: strings.Repeat("Anna prefers tea. ", 50), MaxTokens: 50})
	if err != nil || counter.Count(summary) > 50 || !strings.HasSuffix(summary, "tea.") {
		t.Errorf("nothing but an earlier one: %q, %v", summary, err)
	}
	if len(server.got()) != 0 {
		t.Errorf("%d requests", len(server.got()))
	}
	if _, err := d.Summarize(t.Context(), memory.SummaryRequest{Turns: talk("a"), MaxTokens: 50}); !unavailable(err) ||
		len(server.got()) != 2 {
		t.Errorf("an empty summary twice: %v", err)
	}
}
