//go:build unix

package process

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// linked is what the link tools return.
type linked struct {
	LinkID   string `json:"link_id"`
	Status   string
	From, To string
	Copied   int
	Skipped  int `json:"skipped_duplicates"`
}

// asks lets one agent ask another for its memory.
func (a *agent) asks(other string) linked {
	a.t.Helper()
	var l linked
	a.do("neural_link", object{"action": "request", "agent": other}, &l)
	if l.Status != "pending" || l.From != other || l.To != a.name {
		a.t.Fatalf("request %+v", l)
	}
	return l
}

// shares lets the other one agree.
func (a *agent) shares(id string) linked {
	a.t.Helper()
	var l linked
	a.do("neural_link", object{"action": "share", "link_id": id}, &l)
	if l.Status != "shared" {
		a.t.Fatalf("shared %+v", l)
	}
	return l
}

func newAgent(t *testing.T, dir, name string) *agent {
	t.Helper()
	a := &agent{dir: dir, name: name, used: map[string]bool{}}
	a.wake(t)
	return a
}

// linkedPair is two agents on one store, each with something to tell.
func linkedPair(t *testing.T) (dir string, ada, boris *agent) {
	t.Helper()
	dir = t.TempDir()
	ada, boris = newAgent(t, dir, "ada"), newAgent(t, dir, "boris")
	ada.save("Ada keeps the key of the lighthouse.")
	boris.save("Boris keeps the key of the boat house.")
	return dir, ada, boris
}

// live returns how many live records of an agent came by links, or did not. That the two
// have met is in each bank, too.
func live(t *testing.T, db *sql.DB, agent string, copies bool) (n int) {
	t.Helper()
	err := db.QueryRow(`SELECT count(*) FROM records WHERE agent = ? AND (source = 'link') = ? AND archived_at IS NULL AND superseded_by IS NULL AND kind <> 'relationship'`,
		agent, copies).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Two processes of two agents link over one store, while two more write into
// both banks: what was acknowledged is there, a copy is of what was there when
// it was made, and nothing passes the other way.
func TestLinkWhileBothWrite(t *testing.T) {
	t.Parallel()
	dir, ada, boris := linkedPair(t)
	for i := range 100 {
		boris.save(fmt.Sprintf("Boris counted %d crates before.", i))
	}
	var writers sync.WaitGroup
	var stop atomic.Bool
	saved := map[string]*atomic.Int32{"ada": {}, "boris": {}}
	for name, n := range saved {
		writers.Go(func() {
			w := newAgent(t, dir, name)
			for ; !stop.Load() || n.Load() < 50; n.Add(1) {
				w.save(fmt.Sprintf("%s writes line %d of the log.", name, n.Load()))
			}
			w.sleep()
		})
	}
	var copied int
	for round := range 4 {
		before := int(saved["boris"].Load())
		l := boris.shares(ada.asks("boris").LinkID)
		if copied += l.Copied; copied < 101+before {
			t.Errorf("round %d: %d copies of at least %d", round, copied, 101+before)
		}
		if l.Copied+l.Skipped < 101+before {
			t.Errorf("round %d: %+v", round, l)
		}
	}
	stop.Store(true)
	writers.Wait()
	last := boris.shares(ada.asks("boris").LinkID)
	all := 101 + int(saved["boris"].Load())
	if copied+last.Copied != all || last.Skipped != copied+1 { // that it has met ada is nothing new to her
		t.Errorf("%d copies, then %+v, of %d", copied, last, all)
	}
	ada.sleep()
	boris.sleep()
	db := inspect(t, dir)
	for _, want := range []struct {
		agent  string
		copies bool
		n      int
	}{{"ada", true, all}, {"ada", false, 1 + int(saved["ada"].Load())}, {"boris", true, 0}, {"boris", false, all}} {
		if n := live(t, db, want.agent, want.copies); n != want.n {
			t.Errorf("%s has %d records, copies %v; want %d", want.agent, n, want.copies, want.n)
		}
	}
	sound(t, db, 2*all+1+int(saved["ada"].Load())+2)
	var twice int
	if err := db.QueryRow(`SELECT count(*) FROM (SELECT 1 FROM records GROUP BY agent, content HAVING count(*) > 1)`).
		Scan(&twice); err != nil || twice > 0 {
		t.Errorf("%d memories are there twice, %v", twice, err)
	}
}

// Two processes of the one that is asked agree at the same moment: one of them
// makes the copy, the other one learns of it.
func TestSharedTwiceAtOnce(t *testing.T) {
	t.Parallel()
	dir, ada, boris := linkedPair(t)
	twin := newAgent(t, dir, "boris")
	total := 1
	for round := range 6 {
		for i := range 40 {
			boris.save(fmt.Sprintf("Boris saw ship %d on day %d.", i, round))
		}
		id := ada.asks("boris").LinkID
		answers := make(chan result, 2)
		for _, b := range []*agent{boris, twin} {
			go func() { answers <- b.call("neural_link_share_memory", object{"link_id": id}) }()
		}
		won, lost := <-answers, <-answers
		if won.IsError {
			won, lost = lost, won
		}
		fresh := 40
		if round == 0 {
			fresh++ // what was there before
		}
		if won.IsError || !strings.Contains(string(won.StructuredContent), fmt.Sprintf(`"copied":%d,`, fresh)) {
			t.Fatalf("round %d: %s %s", round, won.text(), won.StructuredContent)
		}
		if !lost.IsError || !strings.HasPrefix(lost.text(), "conflict:") {
			t.Errorf("round %d: the slower answer is %s", round, lost.text())
		}
		total += 40
	}
	for _, a := range []*agent{ada, boris, twin} {
		a.sleep()
	}
	db := inspect(t, dir)
	if n := live(t, db, "ada", true); n != total {
		t.Errorf("%d copies, want %d", n, total)
	}
}

// A request that comes while the agent is at work is put before its user, who
// decides it without the agent. A form that is closed decides nothing, what the
// agent has to name itself is not asked about, and no form outlives its request.
func TestTheUserDecidesOnARequest(t *testing.T) {
	t.Parallel()
	dir, ada, boris := linkedPair(t)
	eve := newAgent(t, dir, "eve")
	eve.do("neural_link", object{"action": "request", "agent": "boris", "kinds": []string{"soul"}}, &linked{})
	eve.sleep()
	boris.host.greet()
	for _, c := range []struct{ answer, status string }{{"decline", "declined"}, {"cancel", "pending"}, {"", "revoked"},
		{"accept", "shared"}} {
		id := ada.asks("boris").LinkID
		question := boris.host.line()
		if !strings.Contains(question, `"elicitation/create"`) ||
			!strings.Contains(question, "Let the agent ada copy the memory of boris?") {
			t.Fatalf("boris' user is asked %s", question)
		}
		var l linked
		if c.answer != "" {
			boris.host.replies(question, c.answer)
		} else {
			ada.do("neural_link", object{"action": "revoke", "link_id": id}, &l)
			if note := boris.host.line(); !strings.Contains(note, `"notifications/cancelled"`) {
				t.Errorf("boris' host hears %s", note)
			}
		}
		for deadline := time.Now().Add(patience); l.Status != c.status && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			ada.do("neural_link", object{"action": "status", "link_id": id}, &l)
		}
		if l.Status != c.status || (l.Copied == 1) != (c.answer == "accept") {
			t.Errorf("%s: %+v", c.answer, l)
		}
		if c.status == "pending" {
			ada.do("neural_link", object{"action": "revoke", "link_id": id}, &l)
		}
	}
	if found := ada.recall("key of the boat house"); len(found) == 0 || !strings.Contains(found[0], "boat house") {
		t.Errorf("ada recalls %q", found)
	}
	ada.sleep()
	boris.sleep()
}

// A request that nobody answers in its window is over, for good.
func TestLinkExpires(t *testing.T) {
	t.Parallel()
	dir, ada, boris := linkedPair(t)
	ada.sleep()
	ada.host = start(t, dir, "--agent", "ada", "--tools", "all", "--link-window", "1s")
	id := ada.asks("boris").LinkID
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if r := boris.call("neural_link", object{"action": "pending"}); !strings.Contains(string(r.StructuredContent), id) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the request never expires")
		}
	}
	for _, action := range []string{"share", "decline"} {
		boris.refused("expired", id, "neural_link", object{"action": action, "link_id": id})
	}
	boris.refused("expired", id, "neural_link_share_memory", object{"link_id": id})
	ada.refused("expired", id, "neural_link", object{"action": "revoke", "link_id": id})
	var l linked
	ada.do("neural_link", object{"action": "status", "link_id": id}, &l)
	if l.Status != "expired" || l.Copied != 0 || strings.Contains(fmt.Sprint(ada.recall("key of the boat house")), "boat") {
		t.Errorf("status %+v", l)
	}
	ada.sleep()
	ada.wake(t) // with the usual window
	if l := boris.shares(ada.asks("boris").LinkID); l.Copied != 1 {
		t.Errorf("asked again: %+v", l)
	}
	ada.sleep()
	boris.sleep()
}

// Of what an agent is, thinks of others and has lived through, it is told whose
// it was.
func TestWhoseItWas(t *testing.T) {
	t.Parallel()
	_, ada, boris := linkedPair(t)
	ada.do("relationship_update", object{"agent": "carl", "trust_level": 0.9}, &struct{}{})
	boris.do("soul_add", object{"content": "I never leave the shore."}, &struct{}{})
	boris.do("relationship_update", object{"agent": "carl", "trust_level": 0.1}, &struct{}{})
	boris.do("diary_write", object{"content": "It rained.", "date": "2026-03-01"}, &struct{}{})
	boris.do("neural_link", object{"action": "share", "link_id": ada.asks("boris").LinkID,
		"kinds": []string{"soul", "relationship", "diary"}}, &linked{})
	for _, c := range []struct {
		tool, shown string
		of          []string
	}{
		{"soul_list", "I never leave the shore. (from boris)", []string{"boris"}},
		{"relationship_get", "carl (boris) (from boris)", []string{"", "boris", ""}}, // the first is boris, whom ada has met
		{"diary_read", "2026-03-01 (from boris)", []string{"boris"}},
	} {
		r := ada.call(c.tool, object{})
		var out struct {
			Items []struct {
				FromAgent string `json:"from_agent"`
			}
		}
		if err := json.Unmarshal(r.StructuredContent, &out); err != nil {
			t.Fatal(err)
		}
		var of []string
		for _, item := range out.Items {
			of = append(of, item.FromAgent)
		}
		if !slices.Equal(of, c.of) || !strings.Contains(r.text(), c.shown) {
			t.Errorf("%s tells of %q: %s", c.tool, of, r.text())
		}
	}
	ada.sleep()
	boris.sleep()
}

// What came by a link is forgotten and brought back as a whole, and a further
// link brings neither it again nor anything but what is new.
func TestLinkIsForgotten(t *testing.T) {
	t.Parallel()
	_, ada, boris := linkedPair(t)
	for i := range 5 {
		boris.save(fmt.Sprintf("Boris hid barrel %d behind the mill.", i))
	}
	first := boris.shares(ada.asks("boris").LinkID)
	boris.save("Boris hid a rudder behind the mill.")
	second := boris.shares(ada.asks("boris").LinkID)
	if first.Copied != 6 || second.Copied != 1 || second.Skipped != 7 { // that boris has met her is nothing new to ada
		t.Fatalf("copied %+v, then %+v", first, second)
	}
	mill := func() []string {
		t.Helper()
		var out struct{ Results []struct{ Content string } }
		ada.do("memory_search", object{"query": "What did Boris hide behind the mill?"}, &out)
		var found []string
		for _, r := range out.Results {
			if strings.Contains(r.Content, "behind the mill") {
				found = append(found, r.Content)
			}
		}
		slices.Sort(found) // they are encoded meanwhile, and ranked otherwise
		return found
	}
	before := mill()
	if len(before) != 6 {
		t.Fatalf("found %q", before)
	}
	var gone struct {
		Forgotten int
		UndoID    string `json:"undo_id"`
	}
	ada.do("memory_forget", object{"link_id": first.LinkID}, &gone)
	if left := mill(); gone.Forgotten != 6 || !slices.Equal(left, []string{"Boris hid a rudder behind the mill."}) {
		t.Errorf("forgot %+v, found %q", gone, left)
	}
	if l := boris.shares(ada.asks("boris").LinkID); l.Copied != 0 || l.Skipped != 8 {
		t.Errorf("what was forgotten came again: %+v", l)
	}
	boris.refused("not_found", "", "memory_forget", object{"undo": gone.UndoID})
	ada.do("memory_forget", object{"undo": gone.UndoID}, &struct{}{})
	if after := mill(); !slices.Equal(after, before) {
		t.Errorf("an undo brings back %q, want %q", after, before)
	}
	ada.refused("conflict", "undone", "memory_forget", object{"undo": gone.UndoID})
	if found := boris.recall("barrel behind the mill"); len(found) == 0 {
		t.Error("boris has lost his own")
	}
	ada.sleep()
	boris.sleep()
}
