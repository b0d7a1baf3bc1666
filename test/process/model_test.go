//go:build unix

package process

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/testmodel"
)

// A server that starts again with another model makes the vectors anew, finds
// by what that model knows, and does so no more after a change back.
func TestChangeOfModel(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]func(testing.TB, string){"wordpiece": testmodel.WordPiece, "unigram": testmodel.Unigram} {
		dir, from := withOwnModel(t.TempDir()), t.TempDir()
		write(t, from)
		run := func(args ...string) string {
			out, err := command(t, dir, args...).CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %v\n%s", args, err, out)
			}
			return string(out)
		}
		h := start(t, dir)
		h.save("A vessel lies at anchor.")
		h.hangUp()
		run("model", "pull", name, "--from", from)
		run("model", "use", name)
		h = start(t, dir)
		if got := h.recall("schiff"); len(got) != 1 || !strings.Contains(got[0], "vessel") {
			t.Errorf("%s: with the model it recalls %q", name, got)
		}
		h.save("The hafen is closed.")
		if got := h.recall("port"); len(got) == 0 || !strings.Contains(got[0], "hafen") {
			t.Errorf("%s: what was saved with the model is not recalled: %q", name, got)
		}
		h.hangUp()
		run("model", "use", "builtin")
		h = start(t, dir)
		// A bank this small is shown whole: without the model nothing comes first.
		var found struct{ Confidence string }
		if h.must("memory_recall", object{"query": "schiff"}, &found); found.Confidence != "low" && found.Confidence != "none" {
			t.Errorf("%s: without the model its confidence is %q", name, found.Confidence)
		}
		h.hangUp()
		run("model", "remove", name)
		if left, _ := os.ReadDir(filepath.Join(dir, "models")); len(left) != 0 {
			t.Errorf("%s: %v is left", name, left)
		}
	}
}

// A server answers a save before an encoder's vector is there, and makes it behind.
func TestEncoderOfAServer(t *testing.T) {
	t.Parallel()
	dir, from := withOwnModel(t.TempDir()), t.TempDir()
	testmodel.Encoder{}.WriteTo(t, from)
	for _, args := range [][]string{{"model", "pull", "tiny", "--from", from}, {"model", "use", "tiny"}} {
		if out, err := command(t, dir, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	h := start(t, dir)
	defer h.hangUp()
	var saved struct {
		SearchableBy []string `json:"searchable_by"`
	}
	if h.must("memory_save", object{"content": "A vessel lies at anchor."}, &saved); fmt.Sprint(saved.SearchableBy) != "[text]" {
		t.Errorf("it is searchable by %v", saved.SearchableBy)
	}
	var stats struct {
		Vectors       int
		VectorsQueued int `json:"vectors_queued"`
	}
	for until := time.Now().Add(patience); stats.Vectors != 1 || stats.VectorsQueued != 0; time.Sleep(50 * time.Millisecond) {
		out, err := command(t, dir, "stats", "--json").Output()
		if err == nil {
			err = json.Unmarshal(out, &stats)
		}
		if err != nil || time.Now().After(until) {
			t.Fatalf("the vector does not come: %+v, %v", stats, err)
		}
	}
}
