package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcp-memory/eval/jsonl"
	"mcp-memory/eval/metrics"
	"mcp-memory/eval/sets"
)

// instance is an element of a file of LongMemEval, one question with the history it is
// asked about: https://github.com/xiaowu0162/LongMemEval#-dataset-format.
type instance struct {
	ID             string       `json:"question_id"`
	Type           string       `json:"question_type"`
	Question       string       `json:"question"`
	Asked          longTime     `json:"question_date"`
	SessionIDs     []string     `json:"haystack_session_ids"`
	Dates          []longTime   `json:"haystack_dates"`
	Sessions       [][]longTurn `json:"haystack_sessions"`
	AnswerSessions []string     `json:"answer_session_ids"`
}

// longTurn is a message; Evidence marks those that hold the answer.
type longTurn struct {
	Role     string `json:"role"`
	Content  string `json:"content"`
	Evidence bool   `json:"has_answer"`
}

// longTime is a time such as "2023/05/20 (Sat) 02:21".
type longTime struct{ time.Time }

// UnmarshalJSON implements [json.Unmarshaler].
func (t *longTime) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	at, err := time.Parse("2006/01/02 (Mon) 15:04", text)
	t.Time = at
	return err
}

// longMemEval ends the names of its files.
const longMemEval = ".json"

// readLongMemEval reads a file of LongMemEval: each of its questions is a case. Its items
// are all messages, of both sides, oldest session first.
func readLongMemEval(dir, name string) (*dataset, error) {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	set := &dataset{}
	elements := json.NewDecoder(f)
	if first, err := elements.Token(); err != nil || first != json.Delim('[') {
		return nil, fmt.Errorf("%s is no file of LongMemEval: a list of questions is expected", name)
	}
	for elements.More() {
		var one instance
		err := elements.Decode(&one)
		if err == nil {
			err = one.check()
		}
		if err != nil {
			return nil, fmt.Errorf("%s, question %d: %w", name, len(set.cases)+1, err)
		}
		set.cases = append(set.cases, one.testCase())
	}
	if _, err := elements.Token(); err != nil {
		return nil, fmt.Errorf("%s ends early: %w", name, err)
	}
	return set, nil
}

func (i instance) check() error {
	switch {
	case i.ID == "" || strings.TrimSpace(i.Question) == "":
		return errors.New("question_id or question is missing")
	case len(i.SessionIDs) != len(i.Sessions) || len(i.Dates) != len(i.Sessions):
		return fmt.Errorf("%s has %d sessions, %d ids and %d dates of them", i.ID, len(i.Sessions), len(i.SessionIDs), len(i.Dates))
	}
	return nil
}

func (i instance) testCase() *testCase {
	order := make([]int, len(i.Sessions))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return i.Dates[a].Compare(i.Dates[b].Time) })
	c := &testCase{name: i.ID, asked: i.Asked.Time}
	q := sets.Query{Case: i.ID, ID: i.ID, Category: i.Type, Question: i.Question, Sessions: i.AnswerSessions}
	for _, n := range order {
		for m, turn := range i.Sessions[n] {
			if strings.TrimSpace(turn.Content) == "" {
				continue
			}
			it := sets.Item{
				Case: i.ID, ID: fmt.Sprintf("%s/%d/%d", i.SessionIDs[n], n, m),
				Session: i.SessionIDs[n], Speaker: turn.Role, Role: turn.Role,
				At: jsonl.Time{Time: i.Dates[n].Time}, Seq: len(c.items), Text: turn.Content,
			}
			c.items = append(c.items, it)
			if turn.Evidence {
				q.Gold = append(q.Gold, it.ID)
			}
		}
	}
	if strings.HasSuffix(i.ID, "_abs") {
		q.Category, q.Gold, q.Sessions = metrics.Abstention, nil, nil
	}
	c.queries = []sets.Query{q}
	return c
}
