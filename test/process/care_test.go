//go:build unix

package process

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// cared is what self_care returns.
type cared struct {
	Status string
	UndoID string `json:"undo_id"`
}

// stored is a line of an export.
type stored struct {
	ID, Type, Kind string
	ArchivedAt     time.Time `json:"archived_at"`
	SupersededBy   string    `json:"superseded_by"`
	Provenance     struct{ Batch string }
	Summary        struct{ Covers []string }
}

// rememberedLive is what statistics say of a rememberedBank: of its memories, and of the
// relationship to who speaks in the conversation.
const rememberedLive = "1201 live"

// rememberedBank is a store with long-term memories and a conversation.
func rememberedBank(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var facts, turns strings.Builder
	for i := range 1200 {
		fmt.Fprintf(&facts,
			`{"content":"On day %d the tide at Cascais was %d cm and %s said that pier %d needs paint.","kind":"longterm","ts":"2026-03-01T00:00:00Z"}`+"\n",
			i, 100+7*i, []string{"Rui", "Ann", "Boris"}[i%3], i%11)
		fmt.Fprintf(&turns,
			`{"session":"harbour","speaker":"Ann","ts":"2026-03-01T10:%02d:%02dZ","text":"Crate %d goes to berth %d before noon."}`+"\n",
			i/60, i%60, i, i%9)
	}
	// How far the encoder is would decide what is found.
	if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte("embed.local: table\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"facts": facts.String(), "turns": turns.String()} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, _, log := cli(t, dir, "import", file, "--format", name); code != 0 {
			t.Fatalf("import: %s", log)
		}
	}
	return dir
}

func copyOf(t *testing.T, bank string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(bank)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// export returns what a bank holds, by id.
func export(t *testing.T, dir string) map[string]stored {
	t.Helper()
	code, out, log := cli(t, dir, "export", "-")
	if code != 0 {
		t.Fatalf("export: %s", log)
	}
	all := map[string]stored{}
	for line := range strings.Lines(out) {
		var s stored
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if s.Type == "record" || s.Type == "turn" {
			all[s.ID] = s
		}
	}
	return all
}

// sightings are what some questions find, in order.
func (h *host) sightings() string {
	h.t.Helper()
	var all strings.Builder
	for _, query := range []string{"What was the tide on day 77?", "pier 5 needs paint", "Which crates go to berth 3?"} {
		var out struct {
			Results []struct{ ID, Content string }
		}
		h.must("memory_search", object{"query": query, "limit": 100}, &out)
		for _, r := range out.Results {
			fmt.Fprintln(&all, r.ID, r.Content)
		}
	}
	return all.String()
}

// Self-care is killed at random moments. After a restart and another call
// every original is live, or archived and covered by exactly one summary; and
// what was taken back is found as it was before.
func TestSelfCareKilledAtRandom(t *testing.T) {
	t.Parallel()
	bank := rememberedBank(t)
	// What is found is found more easily afterwards, so each look is at a copy
	// that nobody has looked at.
	h := start(t, copyOf(t, bank))
	before := h.sightings()
	h.hangUp()
	originals := export(t, bank)
	if len(originals) != 2401 || strings.Count(before, "\n") < 100 {
		t.Fatalf("%d originals, sightings\n%s", len(originals), before)
	}
	seed := rand.Uint64()
	chance := rand.New(rand.NewPCG(seed, 0))
	whole := time.Duration(-1) // that a call takes; measured in the first round, which is not killed
	interrupted := 0
	for round := 0; round < 3 || interrupted == 0 && round < 12; round++ { // some kills come before anything, or behind all
		dir := copyOf(t, bank)
		h := start(t, dir)
		h.must("self_care", object{"mode": "extractive", "dry_run": true}, &cared{}) // warm, so that the moments lie in the call
		begun := time.Now()
		h.write(h.callLine("self_care", object{"mode": "extractive"}))
		if whole < 0 {
			h.answer(h.lastID)
			whole = time.Since(begun)
		} else {
			time.Sleep(time.Duration(chance.Int64N(int64(whole))))
		}
		h.kill()
		h = start(t, dir)
		var undos []string
		for n := 0; ; n++ {
			var care cared
			h.must("self_care", object{"mode": "extractive"}, &care)
			if care.Status == "nothing_to_do" {
				break
			}
			if undos = append(undos, care.UndoID); n == 0 && round > 0 {
				interrupted++
			}
			if care.Status != "done" || n > 20 {
				t.Fatalf("seed %d, round %d: %+v", seed, round, care)
			}
		}
		undos = append(undos, covered(t, fmt.Sprintf("seed %d, round %d", seed, round), originals, export(t, dir))...)
		h.takeBack(undos)
		if after := h.sightings(); after != before {
			t.Errorf("seed %d, round %d: an undo does not bring back what was found: %s", seed, round, firstDifference(before, after))
		}
		h.hangUp()
		now := export(t, dir)
		for id, s := range now {
			if _, ok := originals[id]; !ok || !s.ArchivedAt.IsZero() {
				t.Errorf("seed %d, round %d: after the undo there is %+v", seed, round, s)
			}
		}
		if len(now) != len(originals) {
			t.Errorf("seed %d, round %d: %d of %d are left", seed, round, len(now), len(originals))
		}
	}
	if interrupted == 0 {
		t.Error("no kill left anything to do: the moments do not lie in the call")
	}
}

// firstDifference shows where two texts begin to differ.
func firstDifference(before, after string) string {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d is %q, was %q", i, b[i], a[i])
		}
	}
	return fmt.Sprintf("%d lines, were %d", len(b), len(a))
}

// covered checks that nothing is lost or summarised twice, and returns the
// batches of the live summaries.
func covered(t *testing.T, round string, originals, now map[string]stored) (batches []string) {
	t.Helper()
	by := map[string]int{}
	for _, s := range now {
		if s.Kind != "summary" {
			continue
		}
		batches = append(batches, s.Provenance.Batch)
		for _, id := range s.Summary.Covers {
			by[id]++
		}
		if live := s.SupersededBy == ""; live != s.ArchivedAt.IsZero() {
			t.Errorf("%s: summary %+v", round, s)
		}
	}
	archived := 0
	for id := range originals {
		s, ok := now[id]
		want := 0
		if ok && !s.ArchivedAt.IsZero() {
			want = 1
			archived++
		}
		if !ok || by[id] != want {
			t.Errorf("%s: %+v, which is there: %v, is covered %d times", round, s, ok, by[id])
		}
	}
	if archived < len(originals)/2 {
		t.Errorf("%s: %d of %d are archived", round, archived, len(originals))
	}
	slices.Sort(batches) // ids tell the time
	return slices.Compact(batches)
}

// takeBack undoes calls, the last ones first. The id of a call that was killed
// is the batch of its summaries.
func (h *host) takeBack(undos []string) {
	h.t.Helper()
	slices.Sort(undos)
	for _, id := range slices.Backward(slices.Compact(undos)) {
		if r := h.call("self_care", object{"undo": id}); r.IsError && !strings.Contains(r.text(), "undone already") {
			h.t.Fatalf("undo %s: %s", id, r.text())
		}
	}
}
