package tools_test

import (
	"testing"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
	"mcp-memory/tools"
)

func TestWindowText(t *testing.T) {
	full := contextwindow.Utilization{Percent: 12.34, Recommendation: contextwindow.RecommendOK}
	for name, c := range map[string]struct {
		result contextwindow.Result
		want   string
	}{
		"a report": {
			contextwindow.Result{Appended: 1, Classifications: []memory.TurnClass{memory.ClassIdle}, Utilization: full},
			"Stored 1 message. The window is 12.3 % full (ok).",
		},
		"a repetition": {
			contextwindow.Result{Classifications: []memory.TurnClass{memory.ClassIdle}, Utilization: full},
			"Stored 0 messages. The window is 12.3 % full (ok).",
		},
		"no report": {
			contextwindow.Result{Utilization: full, Action: contextwindow.ActionFlushed, FactsSaved: []string{"a"}},
			"The window is 12.3 % full (ok). Saved 1 fact.",
		},
		"a failure": {
			contextwindow.Result{Utilization: full, Action: contextwindow.ActionCompacting, Problem: "no summariser answers"},
			"The window is 12.3 % full (ok). The history is being compacted; context_status brings the result. Not done yet: no summariser answers.",
		},
		"a fallback": {
			contextwindow.Result{Utilization: full, Action: contextwindow.ActionFlushed,
				Fallback: "llm gave no usable answer, extractive took its place"},
			"The window is 12.3 % full (ok). Saved 0 facts. Note: llm gave no usable answer, extractive took its place.",
		},
		"another content": {
			contextwindow.Result{Classifications: []memory.TurnClass{memory.ClassIdle}, Utilization: full, Differing: []string{"1"}},
			"Stored 0 messages. The window is 12.3 % full (ok). Known with another content, which stays: 1 message.",
		},
	} {
		if got := tools.WindowText(c.result); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
