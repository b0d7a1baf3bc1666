package consolidate_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"mcp-memory/consolidate"
	"mcp-memory/memory"
)

// A process that TestKilledAtEveryStep starts works in killDir and kills
// itself when step number killStep is recorded.
const (
	killDir  = "MCP_MEMORY_TEST_CARE_DIR"
	killStep = "MCP_MEMORY_TEST_CARE_STEP"
)

// scene is a bank with two batches of memories and two parts of a conversation.
func scene(b *bank) {
	b.fill(0, 530)
	b.say("", 0, 1100)
}

// killed is the last thing that the other process says.
const killed = "killed\n"

// killSelf ends the process as a power cut would.
func killSelf() {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString(killed)
	if err := self.Kill(); err != nil {
		panic(err)
	}
	select {}
}

// TestKilledChild is the other process.
func TestKilledChild(t *testing.T) {
	if os.Getenv(killDir) == "" {
		t.Skip("started by TestKilledAtEveryStep")
	}
	last, err := strconv.Atoi(os.Getenv(killStep))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	b := openBank(t, os.Getenv(killDir), func(o *consolidate.Options) {
		o.Holder = "the other process"
		o.Recorded = func(string) {
			if n++; n == last {
				killSelf()
			}
		}
	})
	scene(b)
	b.care(consolidate.Request{})
}

// TestKilledAtEveryStep: a process is killed right after it has recorded a
// step. The next call comes to the state that it would have come to itself.
func TestKilledAtEveryStep(t *testing.T) {
	var steps []string
	whole := newBank(t, func(o *consolidate.Options) { o.Recorded = func(step string) { steps = append(steps, step) } })
	scene(whole)
	untouched := stateOf(whole)
	whole.care(consolidate.Request{})
	want := stateOf(whole)
	if got := strings.Join(steps, " "); got != "planned summarised summarised summarised committed "+
		"planned summarised summarised summarised committed planned summarised summarised committed" {
		t.Fatalf("steps %s", got)
	}
	for i := range steps {
		t.Run(fmt.Sprintf("%d %s", i+1, steps[i]), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledChild$")
			child.Env = append(os.Environ(), killDir+"="+dir, killStep+"="+strconv.Itoa(i+1))
			out, err := child.CombinedOutput()
			if err == nil || !strings.HasSuffix(string(out), killed) {
				t.Fatalf("the process was not killed: %v\n%s", err, out)
			}
			known := false // that the other process has ended
			b := openBank(t, dir, func(o *consolidate.Options) {
				o.Gone = func(holder string) bool { return known && holder == "the other process" }
			})
			if steps[i] != consolidate.StepCommitted {
				b.refuse(consolidate.Request{}, memory.CodeConflict, "another call") // until its lease ends
			}
			known = true
			done := b.care(consolidate.Request{})
			if got := stateOf(b); got != want {
				t.Errorf("state is\n%.3000s\nwant\n%.3000s", got, want)
			}
			if r := b.care(consolidate.Request{}); r.Status != consolidate.StatusNothing {
				t.Errorf("once more: %+v", r)
			}
			if steps[i] == consolidate.StepCommitted {
				return // its undo id died with the process
			}
			if b.care(consolidate.Request{Undo: done.UndoID}); stateOf(b) != untouched {
				t.Error("an undo does not take back what both processes did")
			}
		})
	}
}

var ids = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// stateOf is the whole bank, with ids in the order in which they come up.
func stateOf(b *bank) string {
	names := map[string]string{}
	return ids.ReplaceAllStringFunc(b.everything(), func(id string) string {
		if names[id] == "" {
			names[id] = fmt.Sprintf("id%d", len(names))
		}
		return names[id]
	})
}
