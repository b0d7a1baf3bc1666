package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"mcp-memory/eval/jsonl"
)

// fact is a fact of a bank. Fields that a set does not have are empty.
type fact struct {
	ID         string     `json:"id"`
	Content    string     `json:"content"`
	At         jsonl.Time `json:"occurred_at"`
	Project    string     `json:"project"`
	Importance *float64   `json:"importance"`
	Kind       string     `json:"kind"`
	Category   string     `json:"category"`
	Hard       bool       `json:"hard"`
}

// The categories of questions.
const (
	first      = "first"
	paraphrase = "paraphrase"
	update     = "update"
	past       = "past"
	vague      = "vague"
	profile    = "profile"
	none       = "none"
	current    = "current"
)

type query struct {
	ID       string   `json:"qid"`
	Category string   `json:"category"`
	Question string   `json:"question"`
	Gold     []string `json:"gold_ids"`
	Stale    []string `json:"stale_ids"`
	AsOf     string   `json:"as_of"` // a day of which the answer is asked, as RFC 3339; "" for now
	Kind     string   `json:"kind"`  // Category by another name
	Golds    []string `json:"gold"`  // Gold by another name
}

// bankCase has the facts of a bank and the questions about it.
type bankCase struct {
	Case    string  `json:"case"`
	Facts   []fact  `json:"facts"`
	Queries []query `json:"queries"`

	ID        string  `json:"id"`        // Case by another name
	Questions []query `json:"questions"` // Queries by another name
}

// oppositeCase is a case of two facts that contradict each other, among others.
type oppositeCase struct {
	Case     string   `json:"case"`
	Facts    []fact   `json:"facts"`
	Older    string   `json:"older"`
	Newer    string   `json:"newer"`
	Question string   `json:"question"`
	Also     []string `json:"also"` // further questions on the same two
}

// startCase has the facts of a bank and which of them its page for a new session must show or not.
type startCase struct {
	Case    string     `json:"case"`
	Project string     `json:"project"`
	Facts   []fact     `json:"facts"`
	Now     jsonl.Time `json:"now"`
	Must    []string   `json:"must"`
	MustNot []string   `json:"must_not"`
}

// talkCase is a conversation with what should be stored of it and what not.
type talkCase struct {
	Case     string `json:"case"`
	Messages []struct {
		Role    string     `json:"role"`
		Content string     `json:"content"`
		At      jsonl.Time `json:"ts"`
	} `json:"messages"`
	Keep []string `json:"keep"`
	Drop []string `json:"drop"`
}

// sets has the content of a column's files.
type sets struct {
	small      []bankCase
	confidence []bankCase
	updates    bankCase
	// questions about updates of both halves, which tell what facts are versions of each other
	versions   []query
	categories []fact
	opposites  []oppositeCase
	start      []startCase
	talks      []talkCase
}

// source is the directory of a column's sets.
type source struct {
	name, dir string
	held      bool
}

// sources returns the sources of all columns.
func (o options) sources() []source {
	var all []source
	number := func(name string, i, of int) string {
		if of == 1 {
			return name
		}
		return fmt.Sprintf("%s %d", name, i+1)
	}
	for i, dir := range o.data {
		all = append(all, source{number("dev", i, len(o.data)), dir, false})
	}
	for i, dir := range o.sets {
		all = append(all, source{number("own", i, len(o.sets)), dir, false}, source{number("held", i, len(o.sets)), dir, true})
	}
	return all
}

// lines reads the file of a set; one that does not exist is empty.
func lines[T any](s source, name string) ([]T, error) {
	if s.held {
		name += ".held"
	}
	all, err := jsonl.All[T](filepath.Join(s.dir, name+".jsonl"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return all, err
}

func (s source) read() (*sets, error) {
	if _, err := os.Stat(s.dir); err != nil {
		return nil, err
	}
	var all sets
	var errs [8]error
	all.small, errs[0] = lines[bankCase](s, "smallbank")
	all.updates.Case = "updates"
	all.updates.Facts, errs[1] = lines[fact](s, "updates.facts")
	all.updates.Queries, errs[2] = lines[query](s, "updates.queries")
	if s.held && all.updates.Facts == nil {
		all.updates.Facts, errs[1] = lines[fact](source{dir: s.dir}, "updates.facts")
	}
	all.versions = all.updates.Queries
	if other := (source{dir: s.dir, held: !s.held}); errs[2] == nil {
		var more []query
		more, errs[2] = lines[query](other, "updates.queries")
		all.versions = slices.Concat(all.versions, more)
	}
	all.categories, errs[3] = lines[fact](s, "categories.facts")
	all.opposites, errs[4] = lines[oppositeCase](s, "opposites")
	all.start, errs[5] = lines[startCase](s, "start")
	all.talks, errs[6] = lines[talkCase](s, "conversation")
	all.confidence, errs[7] = lines[bankCase](s, "confidence")
	for i := range all.confidence { // some files have other field names
		c := &all.confidence[i]
		c.Case, c.Queries = cmp.Or(c.Case, c.ID), append(c.Queries, c.Questions...)
		for k := range c.Queries {
			q := &c.Queries[k]
			q.Category, q.Gold = cmp.Or(q.Category, q.Kind), append(q.Gold, q.Golds...)
		}
	}
	return &all, errors.Join(errs[:]...)
}
