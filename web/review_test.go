package web_test

import (
	"bufio"
	"context"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/html"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/review"
	"mcp-memory/web"
)

// questions are the keys of the items on the page.
func questions(page reply) (keys []string) {
	each(page.doc, func(n *html.Node) {
		if key := attr(n, "data-item"); key != "" {
			keys = append(keys, key)
		}
	})
	return keys
}

// reviewed is the review once nothing is being looked at.
func (b *browser) reviewed() reply {
	b.t.Helper()
	for range 500 {
		if page := b.get("/ui/review"); !page.shows("Looking") {
			return page
		}
		time.Sleep(10 * time.Millisecond)
	}
	b.t.Fatal("the look does not end")
	return reply{}
}

func TestReviewIsSettledAndUndone(t *testing.T) {
	w := newWorld(t, false)
	say := func(content string) string {
		*w.clock = w.clock.Add(time.Minute)
		return w.save(w.scope, remember.SaveRequest{Content: content})
	}
	older := say("The harbour office opens at seven in the morning.")
	newer := say("The harbour office opens in the morning at seven.")
	say("The mill is closed on Sundays.")
	say("The wifi password is Tr0ub4dor-9xQ!vb")
	b := w.entered()
	page := b.reviewed()
	page.must(t, http.StatusOK, "2 questions", "nearly the same", "looks like a secret", "Keep both (b)")
	keys := questions(page)
	if len(keys) != 2 || page.shows("mill") {
		t.Fatalf("%q\n%s", keys, page.text)
	}
	duplicate := ""
	for _, k := range keys {
		n := page.find(func(n *html.Node) bool { return attr(n, "data-item") == k })
		if n.LastChild.Data == "details" {
			duplicate = k
		}
	}
	settle := func(from reply, how, content string) reply {
		t.Helper()
		return b.submit(from, "/ui/review/"+duplicate, url.Values{"how": {how}, "content": {content}})
	}
	// Keep both, and take that back.
	kept := settle(page, "both", "")
	kept.must(t, http.StatusOK, "it stays as it is", "1 question")
	page = b.submit(kept, "/ui/undo", nil)
	page.must(t, http.StatusOK, "to be decided again", "2 questions")
	// The newer holds, and take that back.
	done := settle(page, "newer", "")
	done.must(t, http.StatusOK, "the newer holds", "1 question")
	b.get("/ui/memory/"+older).must(t, http.StatusOK, "It was set aside")
	b.submit(done, "/ui/undo", nil).must(t, http.StatusOK, "Taken back")
	page = b.reviewed()
	page.must(t, http.StatusOK, "2 questions")
	settle(page, "nonsense", "").must(t, http.StatusBadRequest)
	// Merge.
	key := attr(page.find(func(n *html.Node) bool { return attr(n, "name") == "key" }), "value")
	versionOf := attr(page.find(func(n *html.Node) bool { return attr(n, "name") == "version" }), "value")
	merged := b.send("/ui/review/"+duplicate,
		url.Values{"key": {key}, "how": {"merge"}, "version": {versionOf}, "content": {"The harbour office opens at seven."}})
	merged.must(t, http.StatusOK, "merged", "1 question")
	b.get("/ui/memory/"+newer).must(t, http.StatusOK, "It was replaced")
	b.get("/ui/memory/"+older).must(t, http.StatusOK, "It was set aside")
	b.send("/ui/review/"+duplicate, url.Values{"key": {key}, "how": {"both"}}).must(t, http.StatusConflict, "decided meanwhile")
}

// TestReviewOfYears corrects what was written with a year that nobody said, and takes that back.
func TestReviewOfYears(t *testing.T) {
	w := newWorld(t, false)
	said := time.Date(2026, 2, 20, 10, 0, 0, 0, time.UTC)
	turn := memory.Turn{ID: w.bank.IDs.New(), Agent: "default", Session: "s", Role: memory.RoleUser, Speaker: "Ines",
		Content: "We use the new rate from January.", SaidAt: said, CreatedAt: said}
	if err := w.bank.Store.Write(t.Context(), "default", func(tx memory.Tx) error {
		_, err := tx.InsertTurns([]memory.Turn{turn}, nil)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	id := w.save(w.scope, remember.SaveRequest{
		Content: "The user uses the new rate from January 2026.",
		Source:  memory.SourceAgent, OccurredAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Provenance: []byte(`{"session":"s","turn":"` + turn.ID + `","index":0}`),
	})
	b := w.entered()
	page := b.reviewed()
	page.must(t, http.StatusOK, "1 question", "Nobody said this year", "What was said", turn.Content, "Ines",
		"The user uses the new rate from January.", "Correct (c)")
	key := questions(page)[0]
	done := b.submit(page, "/ui/review/"+key, url.Values{"how": {"correct"}})
	done.must(t, http.StatusOK, "Decided: corrected", "0 questions")
	old, err := w.bank.Store.Records(t.Context(), "default", []string{id})
	if err != nil || old[0].SupersededBy == "" {
		t.Fatalf("%+v, %v", old, err)
	}
	now, err := w.bank.Store.Records(t.Context(), "default", []string{old[0].SupersededBy})
	if err != nil || now[0].Content != "The user uses the new rate from January." || !now[0].OccurredAt.Equal(said) ||
		now[0].Source != memory.SourceUser {
		t.Fatalf("%+v, %v", now, err)
	}
	b.submit(done, "/ui/undo", nil).must(t, http.StatusOK, "Taken back")
	page = b.reviewed()
	page.must(t, http.StatusOK, "1 question", "January 2026")
	b.submit(page, "/ui/review/"+key, url.Values{"how": {"both"}}).must(t, http.StatusOK, "it stays as it is", "0 questions")
}

// found is a review that has found what a test says.
type found struct {
	*review.Service
	review.Found
	looks atomic.Int32
}

func (f *found) Items(context.Context, string) (review.Found, error) { return f.Found, nil }
func (f *found) Looks(string) int                                    { return int(f.looks.Load()) }

// newFound returns a world whose review is what the test says.
func newFound(t *testing.T) (*world, *found) {
	f := &found{}
	return newWorldWith(t, false, func(w *world, o *web.Options) access.Verifier {
		f.Service = w.review
		o.Review = f
		return nil
	}), f
}

// TestReviewWhileItLooks says so, and shows what the last look found.
func TestReviewWhileItLooks(t *testing.T) {
	w, f := newFound(t)
	b := w.entered()
	asks := func(page reply) string {
		return attr(page.find(func(n *html.Node) bool { return attr(n, "id") == "review" }), "data-looking")
	}
	page := b.get("/ui/review")
	page.must(t, http.StatusOK, "Looking…")
	if asks(page) != "true" || page.shows("Nothing is to be decided") {
		t.Errorf("before the first look:\n%s", page.text)
	}
	f.Found = review.Found{Looked: true, Again: true,
		Items: []review.Item{{Key: "k", Kind: review.Unused, Newer: memory.Record{ID: "one", Content: "The mill is closed."}}}}
	page = b.get("/ui/review")
	page.must(t, http.StatusOK, "Looking again…", "1 question", "The mill is closed.")
	if asks(page) != "true" {
		t.Error("the script does not ask again")
	}
	f.Found = review.Found{Looked: true}
	page = b.get("/ui/review")
	page.must(t, http.StatusOK, "Nothing is to be decided")
	if asks(page) != "false" || page.shows("Looking") {
		t.Errorf("after the look:\n%s", page.text)
	}
}

// TestEndOfALookIsTold to open pages, without a write.
func TestEndOfALookIsTold(t *testing.T) {
	w, f := newFound(t)
	b := w.entered()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.server.URL+"/ui/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := b.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	lines := bufio.NewScanner(stream.Body)
	for lines.Scan() && lines.Text() != ": here" {
	}
	f.looks.Add(1)
	for lines.Scan() && lines.Text() != "event: change" {
	}
	if lines.Text() != "event: change" {
		t.Errorf("%q: %v", lines.Text(), lines.Err())
	}
}

// TestReviewCountsOnEveryPage, and not for tokens that see a part of the bank.
func TestReviewCountsOnEveryPage(t *testing.T) {
	w := newWorld(t, true)
	w.save(memory.Scope{Agent: "ann", Project: "barn"}, remember.SaveRequest{Content: "The wifi password is Tr0ub4dor-9xQ!vb"})
	_, all := w.token(access.Request{Agent: "ann"})
	_, narrow := w.token(access.Request{Agent: "ann", Projects: []string{"barn"}})
	b := w.signedIn(all)
	counts := func(page reply) bool {
		return page.find(func(n *html.Node) bool { return attr(n, "class") == "count" && textOf(n) == "1" }) != nil
	}
	for try := 0; !counts(b.get("/ui/search")); try++ {
		if try == 200 {
			t.Fatal("nothing is counted")
		}
		time.Sleep(10 * time.Millisecond)
	}
	n := w.signedIn(narrow)
	if page := n.get("/ui/"); counts(page) {
		t.Error("a token of a project sees the count of the bank")
	}
	n.get("/ui/review").must(t, http.StatusForbidden, "whole bank")
}
