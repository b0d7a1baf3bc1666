package main

import (
	"fmt"

	"mcp-memory/eval/sets"
)

// findSets returns the names of the sets in a directory: those of facts, and
// those of conversations.
func findSets(dir string) (facts, conversations []string, err error) {
	names, err := sets.Names(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		if sets.OfFacts(dir, name) {
			facts = append(facts, name)
		} else {
			conversations = append(conversations, name)
		}
	}
	if len(facts) == 0 {
		return nil, nil, fmt.Errorf("no set of facts in %s: a file NAME_facts%s or its .gz is expected", dir, sets.CorpusSuffix)
	}
	return facts, conversations, nil
}
