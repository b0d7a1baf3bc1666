package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLongMemEval measures a made-up file of its format: sessions out of order, one whose
// evidence is marked by its id alone, an empty message, and a question without an answer.
func TestLongMemEval(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), []string{"--data", "testdata/longmemeval_sample.json", "--json"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	var reports []setReport
	if err := json.Unmarshal(out.Bytes(), &reports); err != nil {
		t.Fatal(err)
	}
	r := reports[0]
	if r.Set != "longmemeval_sample" || r.Level != "turn" || r.Cases != 3 || r.Items != 9 || r.Queries != 3 {
		t.Errorf("read as %+v", r)
	}
	if s := r.Scores; s.All.Queries != 1 || s.All.Recall5 != 1 || s.Ungraded != 1 || s.Abstention.Queries != 1 {
		t.Errorf("turns score %+v", s)
	}
	if s := r.Sessions; s.All.Queries != 2 || s.All.Hit1 != 1 || s.All.Hit10 != 1 || s.All.Recall5 != 1 ||
		s.Categories["single-session-preference"].Queries != 1 {
		t.Errorf("sessions score %+v", s)
	}
}

// TestLongMemEvalCases: items are in the order in which they were said, and the question
// is asked when it was asked.
func TestLongMemEvalCases(t *testing.T) {
	set, err := readLongMemEval("testdata", "longmemeval_sample.json")
	if err != nil {
		t.Fatal(err)
	}
	c := set.cases[0]
	var order []string
	for _, it := range c.items {
		order = append(order, it.ID+" "+it.Role)
	}
	if got := strings.Join(order,
		", "); got != "earlier/1/0 user, filler/2/0 user, filler/2/1 assistant, later/0/0 user, later/0/1 assistant" {
		t.Errorf("items are %s", got)
	}
	if got := newBank(c, 1).now.Format("2006-01-02 15:04"); got != "2023-06-01 10:00" {
		t.Errorf("asked at %s", got)
	}
	if q := c.queries[0]; strings.Join(q.Gold, " ") != "earlier/1/0 later/0/0" {
		t.Errorf("the answer is in %v", q.Gold)
	}
}

func TestLongMemEvalThatIsNone(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                    "no file of LongMemEval",
		``:                      "no file of LongMemEval",
		`[{"question_id":"a"}]`: "question 1: question_id or question is missing",
		`[{"question_id":"a","question":"b","haystack_session_ids":["s"]}]`: "has 0 sessions, 1 ids and 0 dates",
		`[{"question_id":"a","question":"b","question_date":"yesterday"}]`:  `cannot parse "yesterday"`,
		`[{"question_id":"a","question":"b"}`:                               "ends early",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "x.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readLongMemEval(dir, "x.json"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
