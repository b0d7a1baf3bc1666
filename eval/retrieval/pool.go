package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"

	"mcp-memory/eval/jsonl"
	"mcp-memory/eval/sets"
	"mcp-memory/eval/sets/distractors"
)

const poolsSuffix = ".pools.jsonl"

// pool says how many items the bank of a case is to have. What its corpus does
// not hold are distractors.
type pool struct {
	Name  string `json:"name"` // appended to the set's name, behind an underscore
	Size  int    `json:"size"`
	Topic string `json:"topic"` // of package distractors; the case's name, if empty
}

// readPools reads the pools of a corpus, nil if there is no such file.
func readPools(path string) ([]pool, error) {
	var pools []pool
	err := jsonl.Each(path, func(p pool) error {
		pools = append(pools, p)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return pools, err
}

// fill adds distractors and mixes the items, so that no place is better.
func (p pool) fill(c *testCase) error {
	if p.Size < len(c.items) {
		return fmt.Errorf("its %d items do not fit in a pool of %d", len(c.items), p.Size)
	}
	topic := p.Topic
	if topic == "" {
		topic = c.name
	}
	facts, err := distractors.Facts(topic, p.Size-len(c.items))
	if err != nil {
		return err
	}
	for i, fact := range facts {
		c.items = append(c.items, sets.Item{Case: c.name, ID: fmt.Sprintf("distractor-%d", i+1), Text: fact})
	}
	random := rand.New(rand.NewPCG(uint64(p.Size), 1))
	random.Shuffle(len(c.items), func(i, j int) { c.items[i], c.items[j] = c.items[j], c.items[i] })
	for i := range c.items {
		c.items[i].Seq = i
	}
	return nil
}
