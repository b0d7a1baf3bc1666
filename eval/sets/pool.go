package sets

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"

	"mcp-memory/eval/jsonl"
	"mcp-memory/eval/sets/distractors"
)

const poolsSuffix = ".pools.jsonl"

// Pool says how many items the bank of a case is to have. What its corpus does
// not hold are distractors.
type Pool struct {
	Name  string `json:"name"` // appended to the set's name, behind an underscore
	Size  int    `json:"size"`
	Topic string `json:"topic"` // of package distractors; the case's name, if empty
}

// Pools reads the pools of a set, nil if it has no such file.
func Pools(dir, name string) ([]Pool, error) {
	pools, err := jsonl.All[Pool](filepath.Join(dir, name+poolsSuffix))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return pools, err
}

// Fill adds distractors to the items of a case and mixes them, so that no place is better.
func (p Pool) Fill(name string, items []Item) ([]Item, error) {
	if p.Size < len(items) {
		return nil, fmt.Errorf("its %d items do not fit in a pool of %d", len(items), p.Size)
	}
	topic := p.Topic
	if topic == "" {
		topic = name
	}
	facts, err := distractors.Facts(topic, p.Size-len(items))
	if err != nil {
		return nil, err
	}
	for i, fact := range facts {
		items = append(items, Item{Case: name, ID: fmt.Sprintf("distractor-%d", i+1), Text: fact})
	}
	random := rand.New(rand.NewPCG(uint64(p.Size), 1))
	random.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	for i := range items {
		items[i].Seq = i
	}
	return items, nil
}
