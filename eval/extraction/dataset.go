package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"mcp-memory/eval/sets"
	"mcp-memory/memory"
)

// testCase is one conversation and what was noted about it.
type testCase struct {
	name     string
	sessions [][]sets.Item
	turns    map[int]sets.Item // by number in the case
	gold     []sets.Item
}

// setsOfTurns returns the names of the sets of turns in a directory that start
// with one of the prefixes (none: all).
func setsOfTurns(dir string, prefixes []string) ([]string, error) {
	names, err := sets.Names(dir)
	if err != nil {
		return nil, err
	}
	if names = slices.DeleteFunc(sets.Starting(names, prefixes),
		func(name string) bool { return sets.OfFacts(dir, name) }); len(names) == 0 {
		return nil, fmt.Errorf("no set of turns in %s: a file NAME%s or NAME%s.gz is expected", dir, sets.CorpusSuffix, sets.CorpusSuffix)
	}
	return names, nil
}

// observations is the name of the set with what was noted about another.
func observations(name string) string {
	base, end, _ := strings.Cut(name, "_")
	return strings.TrimSuffix(base+"_facts_"+end, "_")
}

// read reads a set and its observations, if there are any.
func read(dir, name string) ([]*testCase, error) {
	items, err := sets.Items(dir, name)
	if err != nil {
		return nil, err
	}
	gold, err := sets.Items(dir, observations(name))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	var cases []*testCase
	byName := map[string]*testCase{}
	for i, it := range items {
		c := byName[it.Case]
		if c == nil {
			c = &testCase{name: it.Case, turns: map[int]sets.Item{}}
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
func turns(session []sets.Item) []memory.Turn {
	out := make([]memory.Turn, len(session))
	for i, it := range session {
		out[i] = memory.Turn{
			Session: it.Session, Index: it.Seq, Role: memory.Role(it.Role), Speaker: it.Speaker, Content: it.Text, SaidAt: it.At.Time,
		}
	}
	return out
}
