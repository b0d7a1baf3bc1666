package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcp-memory/eval/metrics"
)

// set is what is kept of a report of eval/retrieval.
type set struct {
	Set      string  `json:"set"`
	Level    string  `json:"level"` // "turn" or "fact"
	Scores   scores  `json:"scores"`
	Sessions *scores `json:"sessions,omitempty"`
}

type scores struct {
	All metrics.Scores `json:"all"`
}

// judged is what is kept of the report of eval/judgement.
type judged struct {
	Lines []judgedLine `json:"lines"`
}

// judgedLine is one figure; those of a row follow each other.
type judgedLine struct {
	What  string `json:"what"` // of the row
	Cells map[string]struct {
		Value float64 `json:"value"` // in percent
		Cases int     `json:"cases"` // 0: not measured
	} `json:"measured"` // by the name of the group of sets
	Must   float64 `json:"must,omitempty"`
	AtMost bool    `json:"at_most,omitempty"`
}

// figures are what all tables are made of.
type figures struct {
	ours, plain []set
	judged      judged
}

// tables returns each table by the name that the page has for it.
func (m figures) tables() map[string]string {
	return map[string]string{
		"conversations": m.conversations(),
		"facts":         m.facts(),
		"judgement":     m.judgement(),
	}
}

// conversations are the sets whose items are turns.
func (m figures) conversations() string {
	var b strings.Builder
	b.WriteString("| set | questions | turns R@5 | turns R@10 | MRR | sessions hit@1 | sessions R@5 |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for _, s := range m.ours {
		if s.Level != "turn" {
			continue
		}
		p := m.baseline(s.Set)
		all, plain := s.Scores.All, p.Scores.All
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s |", s.Set, all.Queries, beside(all.Recall5, plain.Recall5),
			beside(all.Recall10, plain.Recall10), beside(all.MRR, plain.MRR))
		if s.Sessions != nil && p.Sessions != nil {
			fmt.Fprintf(&b, " %s | %s |\n", beside(s.Sessions.All.Hit1, p.Sessions.All.Hit1),
				beside(s.Sessions.All.Recall5, p.Sessions.All.Recall5))
		} else {
			b.WriteString(" | |\n")
		}
	}
	return b.String()
}

// facts are the sets whose items are memories, in the order of their names.
func (m figures) facts() string {
	var b strings.Builder
	b.WriteString("| set | questions | hit@1 | hit@5 |\n|---|--:|--:|--:|\n")
	sorted := slices.SortedFunc(slices.Values(m.ours), func(a, b set) int { return strings.Compare(a.Set, b.Set) })
	for _, s := range sorted {
		if s.Level != "fact" || s.Scores.All.Queries == 0 {
			continue
		}
		all, plain := s.Scores.All, m.baseline(s.Set).Scores.All
		fmt.Fprintf(&b, "| %s | %d | %s | %s |\n", s.Set, all.Queries, beside(all.Hit1, plain.Hit1), beside(all.Hit5, plain.Hit5))
	}
	return b.String()
}

func (m figures) baseline(name string) set {
	for _, s := range m.plain {
		if s.Set == name {
			return s
		}
	}
	return set{}
}

// beside is a share in percent, with that of plain full-text search in brackets.
func beside(ours, plain float64) string { return fmt.Sprintf("**%.1f** (%.1f)", 100*ours, 100*plain) }

// judgement has the figures of a row side by side: of the development sets, of what is the
// project's own, and of the halves of that which are held out, each case counting once.
func (m figures) judgement() string {
	var b strings.Builder
	b.WriteString("| | dev | own | held | must |\n|---|--:|--:|--:|--:|\n")
	lines := m.judged.Lines
	for len(lines) > 0 {
		n := slices.IndexFunc(lines, func(l judgedLine) bool { return l.What != lines[0].What })
		if n < 0 {
			n = len(lines)
		}
		row := lines[:n]
		fmt.Fprintf(&b, "| %s |", row[0].What)
		for _, group := range []string{"dev", "own", "held"} {
			b.WriteString(" " + across(row, func(l judgedLine) string { return l.mean(group) }) + " |")
		}
		b.WriteString(" " + across(row, judgedLine.must) + " |\n")
		lines = lines[n:]
	}
	return b.String()
}

func across(row []judgedLine, figure func(judgedLine) string) string {
	var parts []string
	for _, l := range row {
		parts = append(parts, figure(l))
	}
	return strings.Join(parts, " / ")
}

func (l judgedLine) mean(group string) string {
	var sum float64
	cases := 0
	for _, column := range slices.Sorted(maps.Keys(l.Cells)) { // sums depend on the order
		if cell := l.Cells[column]; strings.HasPrefix(column, group) {
			sum, cases = sum+cell.Value*float64(cell.Cases), cases+cell.Cases
		}
	}
	if cases == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f", sum/float64(cases))
}

func (l judgedLine) must() string {
	switch {
	case l.Must == 0:
		return "–"
	case l.AtMost:
		return fmt.Sprintf("≤ %.0f", l.Must)
	}
	return fmt.Sprintf("%.0f", l.Must)
}

// fill puts each table between the comments <!-- NAME --> and <!-- end -->. It is
// an error if a comment has no table, or a table no comment.
func fill(text string, tables map[string]string) (string, error) {
	const open, shut, end = "<!-- table: ", " -->\n", "<!-- end -->"
	var b strings.Builder
	used := map[string]bool{}
	for {
		before, rest, found := strings.Cut(text, open)
		b.WriteString(before)
		if !found {
			break
		}
		name, rest, _ := strings.Cut(rest, shut)
		_, rest, ended := strings.Cut(rest, end)
		table, known := tables[name]
		if !known || !ended {
			return "", fmt.Errorf("no table %q, or no end of it", name)
		}
		used[name] = true
		b.WriteString(open + name + shut + table + end)
		text = rest
	}
	for name := range tables {
		if !used[name] {
			return "", fmt.Errorf("no place for the table %q", name)
		}
	}
	return b.String(), nil
}
