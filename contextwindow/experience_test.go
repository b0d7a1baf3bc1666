package contextwindow_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
	"mcp-memory/text/extractive"
)

// calls is a message of the assistant that called tools.
func calls(list ...memory.ToolCall) contextwindow.Message {
	return contextwindow.Message{Role: memory.RoleAssistant, ToolCalls: list}
}

// of are the live records of a kind, oldest first.
func (b *bank) of(kind memory.Kind) (list []memory.Record) {
	b.t.Helper()
	err := b.store.EachRecord(b.t.Context(), anna.Agent, func(r memory.Record) error {
		if r.Kind == kind && r.Live() {
			list = append(list, r)
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	slices.SortStableFunc(list, func(a, b memory.Record) int { return a.OccurredAt.Compare(b.OccurredAt) })
	return list
}

func (b *bank) flush() {
	b.t.Helper()
	if _, err := b.Compact(b.t.Context(),
		contextwindow.CompactRequest{Scope: anna, Session: session, Mode: contextwindow.ModeFlush}); err != nil {
		b.t.Fatal(err)
	}
}

// TestErrorsNameTheCommand: of a shell, what it ran is what failed.
func TestErrorsNameTheCommand(t *testing.T) {
	b := newBank(t, byTokens)
	b.append(say("Release it."), calls(
		memory.ToolCall{Name: "Bash", Arguments: json.RawMessage(`{"command":"cd app && git push"}`), Error: "exit status 1"},
		memory.ToolCall{Name: "Bash", Arguments: json.RawMessage(`{"command":"npm publish"}`), Error: "exit status 1"}))
	b.append(calls(memory.ToolCall{ID: "c1", Name: "shell", Arguments: json.RawMessage(`{"command":["make","ship"]}`)}))
	b.append(contextwindow.Message{Role: memory.RoleTool, ToolCallID: "c1", Content: "Error: no rule to make target"})
	b.flush()
	var got []string
	for _, r := range b.of(memory.KindLearning) {
		got = append(got, r.Learning.Tool+" | "+r.Content)
	}
	slices.Sort(got)
	if want := []string{"Bash: git | Bash: git failed: exit status 1", "Bash: npm | Bash: npm failed: exit status 1",
		"shell: make | shell: make failed: Error: no rule to make target"}; !slices.Equal(got, want) {
		t.Errorf("learned %q, want %q", got, want)
	}
}

// TestErrorsAreLearnedOnce: the same tool with the same message is one learning
// that counts, whatever differs each time; a flush that has nothing new adds
// nothing.
func TestErrorsAreLearnedOnce(t *testing.T) {
	b := newBank(t, byTokens)
	b.append(say("Run the tests please."),
		calls(memory.ToolCall{Name: "bash", Error: "dial tcp: timeout after 31.2s, request 5f0c2c9e-0d3b-4b8e-9a57-0a1b2c3d4e5f\nstack"},
			memory.ToolCall{Name: "edit", Error: "no such file"}))
	b.later(time.Minute)
	b.append(calls(memory.ToolCall{Name: "bash", Error: "dial tcp: timeout after 8.9s, request 00000000-0d3b-4b8e-9a57-0a1b2c3d4e5f"}))
	b.append(calls(memory.ToolCall{Name: "bash", Result: "ok"}))
	for range 2 {
		b.flush()
	}
	got := b.of(memory.KindLearning)
	if len(got) != 2 {
		t.Fatalf("%d learnings: %+v", len(got), got)
	}
	i := slices.IndexFunc(got, func(r memory.Record) bool { return r.Learning.Tool == "bash" })
	if want := "bash failed: dial tcp: timeout after …, request …"; i < 0 || got[i].Content != want || got[i].Confirmations != 2 {
		t.Errorf("got %+v, want %q twice", got, want)
	} else if l := got[i].Learning; l.Type != memory.LearningError || l.Context != "Run the tests please." || got[i].Importance != memory.LearningError.Importance() {
		t.Errorf("learning %+v of importance %v", l, got[i].Importance)
	}
	if strings.Contains(b.file("MEMORY.md"), "failed") {
		t.Error("a learning is in MEMORY.md")
	}
	b.append(calls(memory.ToolCall{Name: "edit", Error: "no such file"}))
	b.flush()
	for _, r := range b.of(memory.KindLearning) {
		if r.Learning.Tool == "edit" && r.Confirmations != 2 {
			t.Errorf("the second time counts %d", r.Confirmations)
		}
	}
}

// TestAnswersThatFailed: hosts tell of a failure in the tool's message as well.
func TestAnswersThatFailed(t *testing.T) {
	b := newBank(t, byTokens)
	b.append(say("Deploy."), calls(memory.ToolCall{ID: "1", Name: "deploy"},
		memory.ToolCall{ID: "2", Name: "build", Error: "Error: no disk"}),
		contextwindow.Message{Role: memory.RoleTool, ToolCallID: "1", Content: "Error: quota exceeded"},
		contextwindow.Message{Role: memory.RoleTool, ToolCallID: "2", Content: "Error: no disk"},
		contextwindow.Message{Role: memory.RoleTool, ToolCallID: "1", Content: "done"})
	b.flush()
	var got []string
	for _, r := range b.of(memory.KindLearning) {
		got = append(got, r.Content)
	}
	slices.Sort(got)
	if want := []string{"build failed: Error: no disk", "deploy failed: Error: quota exceeded"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestCorrectionsAreLearned: what the user puts right is a fact, and a learning
// with what the assistant had said.
func TestCorrectionsAreLearned(t *testing.T) {
	b := newBank(t, byTokens, func(o *contextwindow.Options) {
		o.Summarizers = []memory.Summarizer{extractive.New(extractive.Options{})}
	})
	b.append(say("We need a migration."), answer("The migration could be number 0042."), say("no, it's 0044, 0042 and 0043 are taken"),
		answer("OK."), say("You keep forgetting the tests, please never skip the tests again."))
	for range 2 {
		b.flush()
	}
	var got []string
	for _, r := range b.of(memory.KindLearning) {
		if r.Learning.Type != memory.LearningCorrection || r.Confirmations != 1 {
			t.Errorf("%+v", r)
		}
		got = append(got, r.Content+" | "+r.Learning.Context)
	}
	slices.Sort(got)
	want := []string{"The assistant keeps forgetting the tests, please never skip the tests again. | OK.",
		"The migration is number 0044. | The migration could be number 0042."}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestEpisodes: turns in which something was decided or made are episodes,
// once, and of many the most important. What went wrong is a learning and no more.
func TestEpisodes(t *testing.T) {
	b := newBank(t, byTokens)
	edit := calls(memory.ToolCall{Name: "edit", Arguments: json.RawMessage(`{"file_path":"main.go","new":"secret"}`)},
		memory.ToolCall{Name: "bash", Arguments: json.RawMessage(`{"command":"go test ./..."}`), Result: "ok"})
	edit.Content = "I fixed the nil check. Now the tests pass."
	b.append(say("Fix it."), edit)
	b.later(time.Minute)
	b.append(calls(memory.ToolCall{Name: "bash", Error: "exit status 1"}))
	b.later(time.Minute)
	b.append(calls(memory.ToolCall{Name: "set_goal", Arguments: json.RawMessage(`{"goal":"ship 2.0"}`)}))
	b.append(calls(memory.ToolCall{Name: "memory_recall"}), answer("Fine."), calls(memory.ToolCall{Name: "send_message"}))
	for range 2 {
		b.flush()
	}
	var got []string
	for _, r := range b.of(memory.KindEpisode) {
		got = append(got, fmt.Sprintf("%v %.1f %.1f %s | %s", r.Tags, r.Importance, r.Episode.EmotionalValence, r.Content,
			r.Episode.Outcome))
	}
	want := []string{
		"[productive] 0.5 0.2 The assistant called edit (main.go), bash (go test ./...). I fixed the nil check. | ",
		"[strategic] 0.8 0.0 The assistant called set_goal (ship 2.0). | ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}

	for i := range 40 {
		b.later(time.Minute)
		b.append(calls(memory.ToolCall{Name: "edit", Arguments: json.RawMessage(fmt.Sprintf(`{"path":"f%d"}`, i))}))
		if i == 2 {
			b.append(calls(memory.ToolCall{Name: "spawn_child", Result: "ok"}))
		}
	}
	b.flush()
	all := b.of(memory.KindEpisode)
	if n := len(all) - len(want); n != 20 {
		t.Errorf("%d more episodes", n)
	}
	if !slices.ContainsFunc(all, func(r memory.Record) bool { return strings.Contains(r.Content, "spawn_child") }) ||
		!strings.Contains(all[len(all)-1].Content, "f39") {
		t.Error("the most important or the latest are missing")
	}
}

// TestLearnedOnceThoughTheStepIsLost: what was saved is not saved or counted
// again where the process could not record that it was.
func TestLearnedOnceThoughTheStepIsLost(t *testing.T) {
	b := newBank(t, byTokens)
	b.append(say("My cat is Minka."), calls(memory.ToolCall{Name: "bash", Error: "exit status 1"}))
	b.later(time.Minute)
	b.append(calls(memory.ToolCall{Name: "bash", Error: "exit status 1"}))
	for range 2 {
		b.later(time.Minute)
		b.append(calls(memory.ToolCall{Name: "edit", Arguments: json.RawMessage(`{"path":"cat.txt"}`)}))
	}
	lost, saved := 0, false
	service := b.service(byTokens, b.watch(
		watched{before: func() error {
			if saved && lost == 0 {
				lost++
				return errors.New("the power is gone")
			}
			return nil
		}},
		watched{after: func() { saved = true }}))
	flush := contextwindow.CompactRequest{Scope: anna, Session: session, Mode: contextwindow.ModeFlush}
	if _, err := service.Compact(t.Context(), flush); err != nil || lost != 1 {
		t.Fatalf("the step was recorded: %v, %d", err, lost)
	}
	if n := len(b.of(memory.KindEpisode)); n != 2 {
		t.Fatalf("%d episodes were saved before", n)
	}
	b.later(time.Hour)
	if n, err := service.Resume(t.Context(), ""); n != 1 || err != nil {
		t.Fatalf("%d resumed, %v", n, err)
	}
	learnings, episodes := b.of(memory.KindLearning), b.of(memory.KindEpisode)
	if len(learnings) != 1 || learnings[0].Confirmations != 2 || len(episodes) != 2 || len(b.facts()) != 4 {
		t.Errorf("learnings %+v, %d episodes, %q", learnings, len(episodes), b.facts())
	}
}
