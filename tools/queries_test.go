package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// pasted is a log of about 30 kB of which one line matters.
func pasted() string {
	var b strings.Builder
	for i := range 380 {
		fmt.Fprintf(&b, "2026-03-01T09:%02d:%02d level=info msg=\"heartbeat\" worker=%d queue=(idle) took=%dms\n", i/60, i%60, i%8, i%17)
	}
	return b.String() + "2026-03-01T09:59:59 level=error msg=\"ECONNREFUSED zeppelin-gateway:7443\"\n"
}

// What a person types is words, whatever it looks like to a search engine.
func TestAnyQueryIsWords(t *testing.T) {
	r := newRig(t)
	for _, content := range []string{
		"The harbour closes at nine.", "Ann prefers dark mode.", "The invoice of March was paid late.",
	} {
		r.save(content)
	}
	gateway := r.save("The zeppelin-gateway listens on port 7443; ECONNREFUSED means that it restarts.")
	hebrew := r.save("החתול של דנה שותה רק חלב חם.")
	arabic := r.save("يسكن عمر في مدينة طنجة.")
	chinese := r.save("東京都の新しい事務所は渋谷にあります。")
	emoji := r.save("The mascot of the team is 🦜 the parrot.")
	code := r.save(`Run make -C build "all" AND wait.`)
	for query, want := range map[string]string{
		`"zeppelin`:                          gateway,
		`zeppelin-gateway`:                   gateway,
		`zeppelin AND NOT gateway`:           gateway,
		`zeppelin*`:                          gateway,
		`content:zeppelin`:                   gateway,
		`NEAR(zeppelin gateway, 2)`:          gateway,
		`^zeppelin + (gateway`:               gateway,
		`{zeppelin} : gateway`:               gateway,
		`'; DROP TABLE records; -- zeppelin`: gateway,
		strings.Repeat("zeppelin ", 3600):    gateway,
		`חלב`:                                hebrew,
		`عمر طنجة`:                           arabic,
		`渋谷の事務所`:                             chinese,
		`新しい`:                                chinese,
		`🦜 mascot?`:                          emoji,
		`make -C build "all" AND`:            code,
		"?!":                                 "",
		`"`:                                  "",
		`""`:                                 "",
		`*`:                                  "",
		`- : ^ ( ) { } + ' ; --`:             "",
		"\u202e\u200f":                       "",
		"。、！？":                               "",
		"🦄":                                  "",
		"\u0301":                             "",
	} {
		for _, tool := range []string{"memory_recall", "memory_search"} {
			args, err := json.Marshal(map[string]any{"query": query, "limit": 3, "explain": true})
			if err != nil {
				t.Fatal(err)
			}
			result := r.call(tool, string(args))
			if result.IsError {
				t.Errorf("%s %.60q: %s", tool, query, textOf(result))
				continue
			}
			var out struct {
				Results []struct{ ID, Content, Snippet string }
			}
			if err := json.Unmarshal(r.structured(result), &out); err != nil {
				t.Fatal(err)
			}
			switch {
			case want == "" && len(out.Results) > 0:
				t.Errorf("%s %.60q found %+v", tool, query, out.Results)
			case want != "" && (len(out.Results) == 0 || out.Results[0].ID != want):
				t.Errorf("%s %.60q found %+v", tool, query, out.Results)
			}
		}
	}
}

// A pasted log is a query like any other. Most of its words are known to no
// record, and it still finds the one that it shares its rare words with.
func TestPastedLog(t *testing.T) {
	r := newRig(t)
	gateway := r.save("The zeppelin-gateway listens on port 7443; ECONNREFUSED means that it restarts.")
	r.save("The harbour closes at nine.")
	args, err := json.Marshal(map[string]string{"query": pasted()})
	if err != nil {
		t.Fatal(err)
	}
	if len(args) < 30_000 {
		t.Fatalf("only %d bytes", len(args))
	}
	for _, tool := range []string{"memory_recall", "memory_search"} {
		result := r.call(tool, string(args))
		if result.IsError || !strings.Contains(string(r.structured(result)), gateway) {
			t.Errorf("%s: %.300s", tool, textOf(result))
		}
	}
}

// Content comes back exactly as it was given, but for blanks around it.
func TestContentComesBack(t *testing.T) {
	r := newRig(t)
	for _, content := range []string{
		"🦜👩‍👩‍👧 ᚠ \u202eright to left\u202c", "a\tb\n\nc", `"quoted" \ 'and' <b>html</b> & more`, "e\u0301 is not é", "\ufffd\ufeff",
		strings.Repeat("x", 32<<10), strings.Repeat("é", 16<<10),
	} {
		id := r.save(" \n" + content + "\t")
		var out getOutput
		r.must("memory_get", `{"ids":["`+id+`"]}`, &out)
		if len(out.Records) != 1 || out.Records[0].Content != content {
			t.Errorf("%.60q came back as %.60q", content, out.Records[0].Content)
		}
	}
}

// Models write numbers, booleans and lists of one as strings.
func TestLenientArguments(t *testing.T) {
	r := newRig(t)
	id := r.save("The harbour closes at nine.")
	r.save("The harbour opens at six.")
	var out recallOutput
	r.must("memory_recall",
		`{"query":"harbour","limit":"1","min_score":"0","kinds":"fact","explain":"true","category":"","since":"","project":null}`, &out)
	if len(out.Results) != 1 || out.Results[0].Why == nil || !out.Truncated {
		t.Errorf("%+v", out)
	}
	var got getOutput
	r.must("memory_get", `{"ids":"`+id+`"}`, &got)
	if len(got.Records) != 1 {
		t.Errorf("%+v", got)
	}
	var found searchOutput
	r.must("memory_search", `{"query":"harbour","in":"conversations"}`, &found)
	if len(found.Results) != 0 {
		t.Errorf("conversations have %+v", found)
	}
}

// TestTokenBudget: what does not fit is left out, and the answer says so.
func TestTokenBudget(t *testing.T) {
	r := newRig(t)
	for i := range 20 {
		r.save(fmt.Sprintf("Ferry number %d leaves the harbour at pier %d.", i, i*7))
	}
	var out recallOutput
	r.must("memory_recall", `{"query":"Which ferry leaves the harbour?","max_tokens":40,"limit":20}`, &out)
	if out.TotalTokens > 40 || len(out.Results) == 0 || len(out.Results) > 4 || !out.Truncated {
		t.Errorf("%d results of %d tokens, truncated %v", len(out.Results), out.TotalTokens, out.Truncated)
	}
}
