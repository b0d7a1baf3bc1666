package main

import (
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
)

const own = "../sets/judgement"

// said has the banks of things said in many ways, agent those of what agents save and ask.
const (
	said, everyday, agent       = own + "/said", own + "/everyday", own + "/agent"
	opposites, session, replies = own + "/opposites2", own + "/session", own + "/replies"
)

// ownSets are both halves of what is in the repository, the first of which has the
// bank of changes.
func ownSets(t *testing.T) []*sets {
	t.Helper()
	var all []*sets
	for _, dir := range []string{own, said, everyday, agent, opposites, session, replies} {
		for _, held := range []bool{false, true} {
			s, err := source{name: "own", dir: dir, held: held}.read()
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, s)
		}
	}
	return all
}

// checker finds what is wrong with the facts of cases.
type checker struct {
	*testing.T
	ids map[string]bool // of everything
}

func (c checker) unique(id string) {
	if id == "" || c.ids[id] {
		c.Errorf("%q is empty or there twice", id)
	}
	c.ids[id] = true
}

func (c checker) bank(name string, facts []fact) map[string]fact {
	byID := map[string]fact{}
	for i, f := range facts {
		c.unique(f.ID)
		byID[f.ID] = f
		switch {
		case strings.TrimSpace(f.Content) == "":
			c.Errorf("%s is empty", f.ID)
		case f.At.IsZero():
			c.Errorf("%s has no time", f.ID)
		case i > 0 && !f.At.After(facts[i-1].At.Time):
			c.Errorf("%s, %s: not after what stands before it", name, f.ID)
		case f.At.After(asked):
			c.Errorf("%s is younger than its questions", f.ID)
		case f.Kind != "" && !memory.Kind(f.Kind).Valid():
			c.Errorf("%s has the kind %q", f.ID, f.Kind)
		}
	}
	return byID
}

func (c checker) known(what string, facts map[string]fact, ids []string) {
	for i, id := range ids {
		if _, ok := facts[id]; !ok || slices.Contains(ids[:i], id) {
			c.Errorf("%s: %q is no fact of its bank, or named twice", what, id)
		}
	}
}

func (c checker) query(q query, facts map[string]fact, categories []string) {
	c.known(q.ID, facts, q.Gold)
	c.known(q.ID, facts, q.Stale)
	several := q.Category == vague || q.Category == profile
	switch {
	case !slices.Contains(categories, q.Category):
		c.Errorf("%s has the category %q", q.ID, q.Category)
	case (len(q.Gold) == 0) != (q.Category == none):
		c.Errorf("%s has %d gold ids as %s", q.ID, len(q.Gold), q.Category)
	case len(q.Stale) == 0 && (q.Category == update || q.Category == current):
		c.Errorf("%s has no other version", q.ID)
	case len(q.Stale) > 0 && (several || q.Category == none):
		c.Errorf("%s has other versions as %s", q.ID, q.Category)
	case slices.ContainsFunc(q.Stale, func(id string) bool { return slices.Contains(q.Gold, id) }):
		c.Errorf("%s: gold and stale", q.ID)
	}
	if q.Category == update || q.Category == current {
		for _, id := range q.Stale {
			if facts[id].At.After(facts[q.Gold[0]].At.Time) {
				c.Errorf("%s: %s is younger than what is true now", q.ID, id)
			}
		}
	}
}

func TestOwnSets(t *testing.T) {
	c := checker{t, map[string]bool{}}
	var updates map[string]fact
	categories := map[string]bool{}
	for _, m := range memory.DefaultCategories() {
		categories[m.Name] = true
	}
	for i, s := range ownSets(t) {
		for _, b := range s.small {
			c.unique(b.Case)
			facts := c.bank(b.Case, b.Facts)
			for _, q := range b.Queries {
				c.unique(q.ID)
				c.query(q, facts, []string{first, paraphrase, update, past, vague, profile, none})
			}
		}
		if i == 0 {
			updates = c.bank("updates", s.updates.Facts)
		}
		for _, q := range s.updates.Queries {
			c.unique(q.ID)
			c.query(q, updates, []string{current, past})
		}
		for _, f := range s.categories {
			c.unique(f.ID)
			if !categories[f.Category] || f.Category == other {
				t.Errorf("%s: %q is no category", f.ID, f.Category)
			}
		}
		for _, o := range s.opposites {
			c.unique(o.Case)
			facts := c.bank(o.Case, o.Facts)
			c.known(o.Case, facts, []string{o.Older, o.Newer})
			if !facts[o.Newer].At.After(facts[o.Older].At.Time) {
				t.Errorf("%s: the newer fact is not newer", o.Case)
			}
		}
		c.starts(s.start)
		c.talks(s.talks)
	}
}

func (c checker) starts(all []startCase) {
	for _, s := range all {
		c.unique(s.Case)
		facts := c.bank(s.Case, s.Facts)
		c.known(s.Case, facts, slices.Concat(s.Must, s.MustNot))
		if last := s.Facts[len(s.Facts)-1]; s.Now.Before(last.At.Time) || len(s.Must) == 0 || len(s.MustNot) == 0 {
			c.Errorf("%s: read before its last fact, or nothing must or must not", s.Case)
		}
	}
}

func (c checker) talks(all []talkCase) {
	for _, talk := range all {
		c.unique(talk.Case)
		for i, m := range talk.Messages {
			if !slices.Contains(memory.Roles(), memory.Role(m.Role)) || m.Content == "" {
				c.Errorf("%s: message %d: %s %q", talk.Case, i, m.Role, m.Content)
			}
			if i > 0 && !m.At.After(talk.Messages[i-1].At.Time) {
				c.Errorf("%s: message %d is not after the one before", talk.Case, i)
			}
		}
		if len(talk.Keep)+len(talk.Drop) == 0 {
			c.Errorf("%s: nothing to keep or to drop", talk.Case)
		}
	}
}

func TestReply(t *testing.T) {
	r := reply{places: []place{{own: []string{"a"}, folded: []string{"b"}, score: 0.5}, {own: []string{"c"}}}}
	if got := r.rank([]string{"b"}); got != never {
		t.Errorf("what is folded stands at %d", got)
	}
	if got := r.rankFolded([]string{"b", "c"}); got != 1 {
		t.Errorf("rankFolded = %d", got)
	}
	for _, c := range []struct {
		gold, stale string
		want        bool
	}{{"a", "c", true}, {"c", "a", false}, {"c", "b", true}, {"b", "c", false}, {"x", "y", false}, {"c", "", true}} {
		if got := r.rightFirst(query{Gold: []string{c.gold}, Stale: []string{c.stale}}); got != c.want {
			t.Errorf("gold %s, stale %s: %v", c.gold, c.stale, got)
		}
	}
	if got := r.share([]string{"a", "b", "x", "y"}); got != 0.5 {
		t.Errorf("share = %v", got)
	}
}

func TestAUC(t *testing.T) {
	if got := auc([]float64{3, 2}, []float64{2, 1}); math.Abs(got-0.875) > 1e-9 {
		t.Errorf("auc = %v", got)
	}
}

func TestSays(t *testing.T) {
	const drop = "The trip starts on 1 May."
	for fact, want := range map[string]bool{
		"The trip starts on 1 May 2026.": true, "The trip starts on 4 May.": false,
		"The trip never starts on 1 May.": false, "A trip to Oslo.": false,
	} {
		if got := says(fact, drop); got != want {
			t.Errorf("%q: %v", fact, got)
		}
	}
	if !covers("Kim bought the red bicycle in Ghent", "Kim has bought a red bicycle.", keepShare) ||
		covers("Kim likes bicycles", "Kim has bought a red bicycle.", keepShare) {
		t.Error("covers")
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"smallbank": `{"case":"x","facts":[{"id":"a","content":"My cat is called Fennel.","occurred_at":"2026-01-02T10:00:00Z"}],"queries":[` +
			`{"qid":"q1","category":"first","question":"What is my cat called?","gold_ids":["a"]},{"qid":"q2","category":"none","question":"Quarterly revenue of the brewery?","gold_ids":[]}]}`,
		"start":        `{"case":"s","facts":[{"id":"s1","content":"It rained.","occurred_at":"2026-01-02T10:00:00Z"},{"id":"s2","content":"Never deploy on Fridays.","occurred_at":"2026-01-03T10:00:00Z","importance":0.9}],"now":"2026-01-04T10:00:00Z","must":["s2"],"must_not":["s1"]}`,
		"conversation": `{"case":"c","messages":[{"role":"user","content":"My name is Piet Vos and I live in Delft.","ts":"2026-01-02T10:00:00Z"}],"keep":["The user is Piet Vos and lives in Delft."],"drop":["Piet lives in Rome."]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := run(context.Background(), []string{"--sets", dir, "--misses", "--json"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"own"`, `"held"`, `"judged"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in %s", want, &out)
		}
	}
	out.Reset()
	if err := run(context.Background(), []string{"--data", dir, "--only", "start", "--judge"}, &out, io.Discard); err != nil {
		t.Errorf("%v\n%s", err, &out)
	}
	if got := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(got, "| 100 / 0 (1) | 85 / ≤ 20 | 95 / ≤ 10 | pass |") {
		t.Error(out.String())
	}
}

func TestRunRefuses(t *testing.T) {
	for _, args := range [][]string{{}, {"--data", "nowhere"}, {"--data", ".", "x"}, {"--data", ".", "--only", "sense"}} {
		if err := run(context.Background(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}

// What is held out is measured beside the others and decides nothing.
func TestHeldIsNotJudged(t *testing.T) {
	good, bad := newTally(), newTally()
	good.hit("past", true)
	bad.hit("past", false)
	for _, c := range []struct {
		held   bool
		failed int
	}{{true, 0}, {false, 1}} {
		r := newReport([]column{{"own", false, good}, {"other", c.held, bad}}, options{only: []string{"past"}})
		if len(r.Failed) != c.failed {
			t.Errorf("held %v: below must %q", c.held, r.Failed)
		}
		if got := r.Lines[0].Cells; got["other"].Cases != 1 || c.held != (got[judged].Cases == 1) {
			t.Errorf("held %v: %v", c.held, got)
		}
	}
}
