package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// among is how many answers are looked at.
const among = 3

// commands is the answer of "how".
type commands struct {
	Commands []struct {
		Command string
		OK      json.RawMessage
	}
}

// fixes is the answer of "fix".
type fixes struct {
	Fixes []struct {
		Error  string
		Did    json.RawMessage
		Worked json.RawMessage
	}
}

// history is the answer of "blame".
type history struct{ Sessions, Decisions, Corrections, Commits []json.RawMessage }

// mark is how well a question was answered.
type mark struct {
	first, three bool
	shown        string // what was answered, for those who look at what is wrong
}

// good reports whether a value says that something worked: yes, or how often.
func good(value json.RawMessage) bool { return string(value) != "false" && string(value) != "0" }

// how asks for commands. What did not work is passed over.
func (w *world) how(ctx context.Context, q question) (m mark, err error) {
	var a commands
	if err := w.ask(ctx, q.project, &a, "how", q.ask); err != nil {
		return m, err
	}
	var worked []string
	for _, c := range a.Commands {
		if good(c.OK) {
			worked = append(worked, c.Command)
		}
	}
	worked = worked[:min(among, len(worked))]
	m.shown = strings.Join(worked, " | ")
	at := slices.IndexFunc(worked, func(c string) bool { return fits(c, q.words) })
	if q.nothing {
		m.first = len(worked) == 0
		m.three = m.first
	} else {
		m.first, m.three = at == 0, at >= 0
	}
	return m, nil
}

// fix asks for what helped against an error.
func (w *world) fix(ctx context.Context, q question) (m mark, err error) {
	var a fixes
	if err := w.ask(ctx, q.project, &a, "fix", q.ask); err != nil {
		return m, err
	}
	var did []string
	for _, f := range a.Fixes {
		if !good(f.Worked) {
			continue
		}
		did = append(did, plain(f.Did))
	}
	did = did[:min(among, len(did))]
	m.shown = strings.Join(did, " | ")
	if q.nothing {
		m.first = !slices.ContainsFunc(did, func(d string) bool { return d != "" })
		m.three = m.first
		return m, nil
	}
	at := slices.IndexFunc(did, func(d string) bool { return fitsAny(d, q.words) && !fits(d, q.never) })
	m.first, m.three = at == 0, at >= 0
	return m, nil
}

// fitsAny is [fits] for a list that was made one text, a line each.
func fitsAny(text string, words []string) bool {
	return slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool { return fits(line, words) })
}

// plain is the text of a JSON value: its strings, one a line.
func plain(value json.RawMessage) string {
	var v any
	if json.Unmarshal(value, &v) != nil {
		return ""
	}
	var lines []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			lines = append(lines, v)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(v)
	return strings.Join(lines, "\n")
}

// blame asks what is known of a file.
func (w *world) blame(ctx context.Context, q question) (m mark, err error) {
	var a history
	if err := w.ask(ctx, q.project, &a, "blame", strings.ReplaceAll(q.ask, "~/", w.root+"/")); err != nil {
		return m, err
	}
	texts := func(list []json.RawMessage) (all []string) {
		for _, v := range list[:min(among, len(list))] {
			all = append(all, plain(v))
		}
		return all
	}
	sessions, decisions, corrections := texts(a.Sessions), texts(a.Decisions), texts(a.Corrections)
	m.shown = "sessions: " + strings.Join(sessions, " | ") + " decisions: " + strings.Join(decisions, " | ") + " corrections: " +
		strings.Join(corrections, " | ")
	if q.nothing {
		m.first = len(a.Sessions)+len(a.Decisions)+len(a.Corrections)+len(a.Commits) == 0
		m.three = m.first
		return m, nil
	}
	touched := slices.IndexFunc(sessions, func(s string) bool { return w.isOf(s, q.gold) })
	said := func(list []string) int {
		return slices.IndexFunc(list, func(s string) bool { return fits(s, q.words) })
	}
	why := len(q.words) == 0 || said(decisions) >= 0 || said(corrections) >= 0
	clean := !fits(strings.Join(append(decisions, corrections...), "\n"), q.never)
	m.three = touched >= 0 && why && clean
	m.first = m.three && touched == 0 && (len(q.words) == 0 || said(decisions) == 0 || said(corrections) == 0)
	return m, nil
}

// isOf reports whether a text names the session of one of the scripts.
func (w *world) isOf(text string, names []string) bool {
	return slices.ContainsFunc(w.scripts, func(s script) bool { return slices.Contains(names, s.name) && strings.Contains(text, s.id) })
}

// said is what a hook said before a call, and how long it took.
func (w *world) said(ctx context.Context, c call, session string) (string, time.Duration, error) {
	cwd := filepath.Join(w.root, c.project)
	input := object{"command": c.what}
	switch c.tool {
	case "Read":
		input = object{"file_path": filepath.Join(cwd, c.what)}
	case "Edit":
		input = object{"file_path": filepath.Join(cwd, c.what), "old_string": "a", "new_string": "b"}
	case "Write":
		input = object{"file_path": filepath.Join(cwd, c.what), "content": "a"}
	}
	payload := object{
		"session_id": session, "transcript_path": "", "cwd": cwd, "hook_event_name": "PreToolUse", "permission_mode": "default",
		"tool_name": c.tool, "tool_input": input, "tool_use_id": "toolu_" + made(session+c.what, 8),
	}
	if c.host == "codex" {
		payload["model"], payload["turn_id"] = "gpt-5.2-codex", "t1"
	}
	cmd := w.in(ctx, c.project, "hook", "--host", c.host)
	cmd.Stdin = strings.NewReader(asText(payload))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	began := time.Now()
	out, err := cmd.Output()
	took := time.Since(began)
	if err != nil {
		return "", took, fmt.Errorf("hook: %w\n%s", err, &stderr)
	}
	var answer struct {
		HookSpecificOutput struct{ AdditionalContext string }
	}
	if len(bytes.TrimSpace(out)) > 0 {
		if err := json.Unmarshal(out, &answer); err != nil {
			return "", took, fmt.Errorf("hook: %w\n%s", err, out)
		}
	}
	return answer.HookSpecificOutput.AdditionalContext, took, nil
}
