package tools

import (
	"encoding/json"
	"slices"
	"testing"
)

// answered returns the contents of an answer, best first, and what of them is
// marked as outdated.
func (r *rig) answered(tool, args string) (contents, outdated []string) {
	r.t.Helper()
	var out struct {
		Results []struct {
			Content    string
			OutdatedBy string `json:"outdated_by"`
		}
	}
	r.must(tool, args, &out)
	for _, one := range out.Results {
		contents = append(contents, one.Content)
		if one.OutdatedBy != "" {
			outdated = append(outdated, one.Content)
		}
	}
	return contents, outdated
}

// What was saved without a project is there in every project, and outside of
// projects nothing of a project is.
func TestGlobalFactsAreThereInEveryProject(t *testing.T) {
	r := newRig(t)
	var saved saveOutput
	r.must("memory_save", `{"content":"My brother is called Otto."}`, &saved)
	r.must("memory_save", `{"content":"My sister is called Ada.","project":""}`, &saved)
	for _, project := range []string{"shop", "blog"} {
		r.must("memory_save", `{"content":"The release branch of this work is called stable.","project":"`+project+`"}`, &saved)
	}
	for _, tool := range []string{"memory_recall", "memory_search"} {
		for name, c := range map[string]struct{ args, first string }{
			"global, in a project":     {`{"query":"What is my brother called?","project":"shop"}`, "My brother is called Otto."},
			"global, in a new project": {`{"query":"What is my sister called?","project":"new"}`, "My sister is called Ada."},
			"global, outside":          {`{"query":"What is my sister called?"}`, "My sister is called Ada."},
			"of the project": {`{"query":"What is the release branch called?","project":"shop"}`,
				"The release branch of this work is called stable."},
			"of any project, if asked for": {`{"query":"What is the release branch called?","project":"*"}`,
				"The release branch of this work is called stable."},
		} {
			if got, _ := r.answered(tool, c.args); len(got) == 0 || got[0] != c.first {
				t.Errorf("%s, %s: %q", tool, name, got)
			}
		}
		for _, args := range []string{`{"query":"What is the release branch called?"}`,
			`{"query":"What is the release branch called?","project":"new"}`} {
			if got, _ := r.answered(tool, args); slices.Contains(got, "The release branch of this work is called stable.") {
				t.Errorf("%s %s shows another project's: %q", tool, args, got)
			}
		}
	}
}

// A project's own state of a thing does not touch the global one, but where both
// are read the later one is the answer and the earlier one is marked.
func TestALaterStateAcrossTheBorderOfAProject(t *testing.T) {
	for name, c := range map[string]struct{ first, second string }{
		"global first":  {"", "shop"},
		"project first": {"shop", ""},
	} {
		r := newRig(t)
		var saved saveOutput
		args := func(content, project string) string {
			data, err := json.Marshal(map[string]string{"content": content, "project": project})
			if err != nil {
				t.Fatal(err)
			}
			return string(data)
		}
		r.must("memory_save", args("I live in Berlin.", c.first), &saved)
		r.clock.set(t, "2026-03-02T09:00")
		r.must("memory_save", args("I have moved to Porto.", c.second), &saved)
		got, outdated := r.answered("memory_recall", `{"query":"Where do I live?","project":"shop"}`)
		if !slices.Equal(got, []string{"I have moved to Porto.", "I live in Berlin."}) || !slices.Equal(outdated, got[1:]) {
			t.Errorf("%s, in the project: %q, outdated %q", name, got, outdated)
		}
		want := map[string]string{"": "I live in Berlin.", "shop": "I have moved to Porto."}[c.first]
		if got, outdated := r.answered("memory_recall", `{"query":"Where do I live?"}`); !slices.Equal(got, []string{want}) ||
			len(outdated) > 0 {
			t.Errorf("%s, outside: %q, outdated %q", name, got, outdated)
		}
	}
}

// In a bank so small that everything is listed an answer still says where
// something relevant would be.
func TestAnAnswerOfNoiseNamesOtherProjects(t *testing.T) {
	r := newRig(t)
	var saved saveOutput
	r.must("memory_save", `{"content":"My brother is called Otto."}`, &saved)
	r.must("memory_save", `{"content":"Invoices are numbered by the finance robot.","project":"shop"}`, &saved)
	for query, want := range map[string]int{"Who numbers invoices?": 1, "What is my brother called?": 0} {
		for _, tool := range []string{"memory_recall", "memory_search"} {
			var out struct {
				Results   []json.RawMessage
				Elsewhere []json.RawMessage
			}
			if r.must(tool, `{"query":"`+query+`"}`, &out); len(out.Elsewhere) != want ||
				tool == "memory_recall" && want == 1 && len(out.Results) != 1 {
				t.Errorf("%s %s: %d results, %s", tool, query, len(out.Results), out.Elsewhere)
			}
		}
	}
}
