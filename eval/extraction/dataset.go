package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-memory/eval/jsonl"
	"mcp-memory/memory"
)

// item is a line of a corpus: a turn, or an observation.
type item struct {
	Case    string     `json:"case"`
	ID      string     `json:"id"`
	Session string     `json:"session"`
	Speaker string     `json:"speaker"`
	Role    string     `json:"role"`
	At      jsonl.Time `json:"ts"`
	Seq     int        `json:"seq"`
	Text    string     `json:"text"`
	Sources []string   `json:"src"`
}

// testCase is one conversation and what was noted about it.
type testCase struct {
	name     string
	sessions [][]item
	turns    map[int]item // by number in the case
	gold     []item
}

const corpusSuffix = ".corpus.jsonl"

// sets returns the names of the sets of turns in a directory that start with
// one of the prefixes (none: all).
func sets(dir string, prefixes []string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"+corpusSuffix+"*"))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, file := range files {
		name, _, _ := strings.Cut(filepath.Base(file), corpusSuffix)
		starts := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
		if !strings.Contains(name, "facts") && (len(prefixes) == 0 || slices.ContainsFunc(prefixes, starts)) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no set of turns in %s: a file NAME%s or NAME%s.gz is expected", dir, corpusSuffix, corpusSuffix)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// observations is the name of the set with what was noted about another.
func observations(name string) string {
	base, end, _ := strings.Cut(name, "_")
	return strings.TrimSuffix(base+"_facts_"+end, "_")
}

// read reads a set and its observations, if there are any.
func read(dir, name string) ([]*testCase, error) {
	items, err := jsonl.All[item](filepath.Join(dir, name+corpusSuffix))
	if err != nil {
		return nil, err
	}
	gold, err := jsonl.All[item](filepath.Join(dir, observations(name)+corpusSuffix))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	var cases []*testCase
	byName := map[string]*testCase{}
	for i, it := range items {
		c := byName[it.Case]
		if c == nil {
			c = &testCase{name: it.Case, turns: map[int]item{}}
			byName[it.Case], cases = c, append(cases, c)
		}
		if last := len(c.sessions) - 1; last < 0 || c.sessions[last][0].Session != it.Session {
			c.sessions = append(c.sessions, nil)
		}
		items[i].Seq = len(c.turns)
		c.turns[items[i].Seq] = items[i]
		c.sessions[len(c.sessions)-1] = append(c.sessions[len(c.sessions)-1], items[i])
	}
	for _, g := range gold {
		if c := byName[g.Case]; c != nil {
			c.gold = append(c.gold, g)
		}
	}
	return cases, nil
}

// turns are the messages of a session as the program keeps them.
func turns(session []item) []memory.Turn {
	out := make([]memory.Turn, len(session))
	for i, it := range session {
		out[i] = memory.Turn{
			Session: it.Session, Index: it.Seq, Role: memory.Role(it.Role), Speaker: it.Speaker, Content: it.Text, SaidAt: it.At.Time,
		}
	}
	return out
}
