package web_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// oldProject is one of few memories, all older than those of others.
const oldProject = "pier"

// many fills a bank as imports would: records of two years in twenty projects, and what was told of them.
func (w *world) many(records int) {
	w.t.Helper()
	const batch = 1000
	random := rand.New(rand.NewPCG(7, 7))
	things, places := []string{"ferry", "harbour", "mill", "barn", "archive", "boat", "gate", "choir"},
		[]string{"Uppsala", "Porto", "Braga", "Visby", "Lund", "Faro"}
	categories := memory.DefaultCategories()
	for i := range 60 { // a project that nobody has worked at since
		w.save(memory.Scope{Agent: "default", Project: oldProject},
			remember.SaveRequest{Content: fmt.Sprintf("Plank %d of the pier is of oak from parish %d.", i, i*7%977)})
	}
	var ids []string
	for i := 0; i < records; i += batch {
		err := w.bank.Store.Write(w.t.Context(), "default", func(tx memory.Tx) error {
			for j := range batch {
				at := w.clock.Add(-time.Duration(records-i-j) * 10 * time.Minute)
				r := memory.Record{
					ID: w.bank.IDs.New(), Agent: "default", Kind: memory.KindFact,
					Category: categories[random.IntN(len(categories))].Name, Project: fmt.Sprintf("project-%d", random.IntN(20)),
					Content: fmt.Sprintf("The %s number %d of %s holds item%d since the %d.", things[random.IntN(len(things))], i+j,
						places[random.IntN(len(places))], random.IntN(20_000), 1+random.IntN(28)),
					Importance: random.Float64(), Source: memory.SourceUser, Confirmations: 1, CreatedAt: at,
				}
				if ids = append(ids, r.ID); len(ids) > 200 {
					ids = ids[100:]
				}
				if err := tx.InsertRecord(r, nil); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			w.t.Fatal(err)
		}
	}
	for i := range 2000 {
		w.save(memory.Scope{Agent: "default", Project: "choir"},
			remember.SaveRequest{Content: fmt.Sprintf("Crate %d of the choir goes to parish %d.", i, i*7%977)})
	}
	for i := range 4000 {
		w.told.Page(memory.Scope{Agent: "default", Project: fmt.Sprintf("project-%d", i%20)}, "memory_recall",
			fmt.Sprintf("question %d", i), ids[:12], 100)
	}
	w.told.Flush(w.t.Context())
}

// BenchmarkPages is what pages of a bank of 100,000 memories take on the server, each after a first time
// that reads what is kept in memory.
func BenchmarkPages(b *testing.B) {
	w := newWorld(b, false)
	w.many(100_000)
	in := w.entered()
	home, _ := url.Parse(w.server.URL + "/ui/")
	cookie := in.client.Jar.Cookies(home)[0]
	get := func(path string) {
		r := httptest.NewRequest(http.MethodGet, "http://"+home.Host+"/ui"+path, nil)
		r.AddCookie(cookie)
		got := httptest.NewRecorder()
		if w.site.ServeHTTP(got, r); got.Code != http.StatusOK {
			b.Fatalf("%s: %d\n%s", path, got.Code, got.Body)
		}
	}
	if err := w.recall.Warm(b.Context(), "default"); err != nil {
		b.Fatal(err)
	}
	in.reviewed()
	for _, page := range [][2]string{
		{"today", "/"}, {"newest", "/memories"}, {"narrowed", "/memories?kind=fact&category=goal"},
		{"older", strings.TrimPrefix(in.get("/ui/memories").link("Older"), "/ui")},
		{"search", "/memories?q=which+item+does+the+ferry+number+777+hold"},
		{"timeline", "/timeline"}, {"told", "/told"}, {"review", "/review"}, {"health", "/health"},
		{"people", "/people"}, {"conversations", "/conversations"}, {"plans", "/plans"}, {"files", "/files"}, {"sharing", "/sharing"},
	} {
		get(page[1])
		b.Run(page[0], func(b *testing.B) {
			for range b.N {
				get(page[1])
			}
		})
	}
	for _, page := range [][2]string{{"today", "/"}, {"newest", "/memories"},
		{"people", "/people"}} { // what is remembered of the newest is counted again
		b.Run("written/"+page[0], func(b *testing.B) {
			for i := range b.N {
				b.StopTimer()
				w.save(memory.Scope{Agent: "default", Project: "choir"},
					remember.SaveRequest{Content: fmt.Sprintf("Note %d of %s and %d.", i, page[0], b.N)})
				b.StartTimer()
				get(page[1])
			}
		})
	}
	in.submit(in.get("/ui/"), "/ui/project", url.Values{"project": {oldProject}})
	for _, page := range [][2]string{
		{"today", "/"}, {"newest", "/memories"}, {"narrowed", "/memories?kind=fact&category=goal"},
		{"search", "/memories?q=which+parish+is+plank+7+from"}, {"timeline", "/timeline"},
		{"told", "/told"}, {"review", "/review"}, {"people", "/people"}, {"conversations", "/conversations"},
	} {
		get(page[1])
		b.Run("old/"+page[0], func(b *testing.B) {
			for range b.N {
				get(page[1])
			}
		})
	}
}
