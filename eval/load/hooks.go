package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"mcp-memory/eval/child"
	"mcp-memory/eval/metrics"
)

// hookStarts and hookPrompts are how many hooks of each kind are called.
const hookStarts, hookPrompts = 20, 100

// hookFigures are what hooks took, from the start of the process to its end, in
// milliseconds, and what the processor had to do for them.
type hookFigures struct {
	What   string  `json:"what"`
	P50    float64 `json:"p50_ms"`
	P95    float64 `json:"p95_ms"`
	CPU    float64 `json:"processor_p50_ms"`
	Budget float64 `json:"budget_ms"`
	Shown  float64 `json:"shown"` // share of the calls that showed something
	Right  float64 `json:"right"` // share of the questions with one answer that showed it
}

// What the median hook may take, in milliseconds.
const startBudget, promptBudget = 80, 60

// measureHooks calls the program's hooks over the records of a bank, each a process of its
// own, as a host does.
func measureHooks(ctx context.Context, p child.Program, records int) ([]hookFigures, error) {
	probes, err := (&figures{}).load(ctx, p, records)
	if err != nil {
		return nil, err
	}
	answers := map[string]string{}
	if _, err := generate(records, recalls, func(f fact) error { answers[f.ID] = oneLine(f.Content); return nil }); err != nil {
		return nil, err
	}
	start, err := callHooks(ctx, p, "session start", hookStarts, startBudget, func(i int) (string, string) {
		return hookPayload("SessionStart", i, p.Home, ""), ""
	})
	if err != nil {
		return nil, err
	}
	prompt, err := callHooks(ctx, p, "prompt", min(hookPrompts, len(probes)), promptBudget, func(i int) (string, string) {
		return hookPayload("UserPromptSubmit", i, p.Home, probes[i].question), answers[probes[i].answer]
	})
	return []hookFigures{start, prompt}, err
}

func hookPayload(event string, n int, dir, prompt string) string {
	payload, err := json.Marshal(map[string]string{
		"hook_event_name": event, "session_id": fmt.Sprintf("%s-%d", event, n), "cwd": dir, "source": "startup", "prompt": prompt,
		"transcript_path": filepath.Join(dir, "none.jsonl"),
	})
	if err != nil {
		panic(err) // texts always are JSON
	}
	return strings.ReplaceAll(string(payload), `"source":"startup"`,
		`"source":"`+map[bool]string{true: "user", false: "startup"}[prompt != ""]+`"`)
}

// callHooks calls a hook n times, with what payload says and what is to be in its answer.
func callHooks(ctx context.Context, p child.Program, what string, n int, budget float64,
	payload func(int) (sent, needle string)) (hookFigures, error) {
	f := hookFigures{What: what, Budget: budget}
	var took, cpu []time.Duration
	shown, needles, right := 0, 0, 0
	for i := range n {
		sent, needle := payload(i)
		cmd := p.Command(ctx, "hook", "--host", "claude-code", "--patience", "20s")
		cmd.Stdin = strings.NewReader(sent)
		begin := time.Now()
		out, err := cmd.Output()
		took = append(took, time.Since(begin))
		if err != nil {
			return f, fmt.Errorf("hook: %w", err)
		}
		cpu = append(cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		if len(out) > 0 {
			shown++
		}
		if needle != "" {
			needles++
			if strings.Contains(string(out), needle) {
				right++
			}
		}
	}
	f.P50, f.P95, f.CPU = millis(metrics.Percentile(took, 50)), millis(metrics.Percentile(took, 95)), millis(metrics.Percentile(cpu, 50))
	f.Shown = float64(shown) / float64(n)
	if needles > 0 {
		f.Right = float64(right) / float64(needles)
	}
	return f, nil
}

func printHooks(w io.Writer, records int, all []hookFigures) {
	fmt.Fprintf(w, "hooks over %d records, from the start of the process to its end\n", records)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "what\tp50\tp95\tprocessor\tbudget\tshown\tright\t")
	for _, f := range all {
		fmt.Fprintf(t, "%s\t%s ms\t%s ms\t%s ms\t≤ %.0f ms\t%.0f %%\t%.0f %%\t\n", f.What, rounded(f.P50), rounded(f.P95), rounded(f.CPU),
			f.Budget, 100*f.Shown, 100*f.Right)
	}
	t.Flush()
}

// oneLine is the beginning of a text as a hook shows it.
func oneLine(text string) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	return strings.Trim(strings.ReplaceAll(string(line[:min(60, len(line))]), `"`, `\"`), "…")
}
