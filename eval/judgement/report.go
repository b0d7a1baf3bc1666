package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// column has the results of some sets.
type column struct {
	name string
	held bool // a held half, which is not to be tuned on and not judged
	*tally
}

// cell is the value of a figure in one column, in percent.
type cell struct {
	Value float64 `json:"value"`
	Cases int     `json:"cases"` // 0: not measured
}

// line is a figure with its values in all columns.
type line struct {
	Row    string          `json:"row"`
	Figure string          `json:"figure,omitempty"`
	Cells  map[string]cell `json:"measured"`
	Must   float64         `json:"must,omitempty"`
	Aim    float64         `json:"aim,omitempty"`
	AtMost bool            `json:"at_most,omitempty"`
	Passed bool            `json:"passed"` // whether all columns that are not held reach Must together
	What   string          `json:"what"`
}

// report is the whole table.
type report struct {
	Columns []string          `json:"columns"`
	Lines   []line            `json:"lines"`
	Failed  []string          `json:"below_must"`
	Misses  map[string][]miss `json:"misses,omitempty"` // by column
}

// judged is the name of the column with all questions that are not held out together. It is added
// if there are several columns.
const judged = "judged"

func newReport(columns []column, o options) report {
	pooled := newTally()
	for _, c := range columns {
		if !c.held {
			pooled.add(c.tally)
		}
	}
	r := report{Failed: []string{}, Misses: map[string][]miss{}}
	for _, c := range columns {
		if c.misses != nil {
			r.Misses[c.name] = c.misses
		}
	}
	if len(columns) > 1 {
		columns = append(columns, column{judged, false, pooled})
	}
	for _, c := range columns {
		r.Columns = append(r.Columns, c.name)
	}
	for _, row := range rows {
		if !o.wants(row.key) {
			continue
		}
		for _, f := range row.figures {
			l := line{Row: row.key, Figure: f.label, Cells: map[string]cell{}, Must: 100 * f.must, Aim: 100 * f.aim, AtMost: f.low,
				What: row.what}
			for _, c := range columns {
				value, n := f.of(c.tally)
				l.Cells[c.name] = cell{100 * value, n}
			}
			value, n := f.of(pooled)
			l.Passed = n == 0 || f.reached(value, f.must)
			if !l.Passed {
				r.Failed = append(r.Failed, strings.TrimSpace(row.key+" "+f.label))
			}
			r.Lines = append(r.Lines, l)
		}
	}
	return r
}

func printReport(w io.Writer, r report) {
	for _, name := range r.Columns {
		for _, m := range r.Misses[name] {
			fmt.Fprintf(w, "%s %s %s\n%s", name, m.Row, m.Case, m.Text)
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 1, ' ', 0)
	fmt.Fprintf(t, "| what\t| %s\t| must\t| aim\t|\t|\n", strings.Join(r.Columns, "\t| "))
	fmt.Fprintf(t, "|---\t%s|---\t|---\t|---\t|\n", strings.Repeat("|--:\t", len(r.Columns)))
	for i := 0; i < len(r.Lines); {
		n := i
		for n < len(r.Lines) && r.Lines[n].Row == r.Lines[i].Row {
			n++
		}
		printRow(t, r.Columns, r.Lines[i:n])
		i = n
	}
	t.Flush()
}

// printRow prints the figures of a row on one line, separated by slashes.
func printRow(w io.Writer, columns []string, lines []line) {
	passed, measured := "pass", false
	bars := func(bar func(line) float64) string {
		return join(lines, func(l line) string {
			switch {
			case l.Aim == 0:
				return "–"
			case l.AtMost:
				return fmt.Sprintf("≤ %.0f", bar(l))
			}
			return fmt.Sprintf("%.0f", bar(l))
		})
	}
	for _, l := range lines {
		if !l.Passed {
			passed = "FAIL"
		}
		for _, c := range l.Cells {
			measured = measured || c.Cases > 0
		}
	}
	if lines[0].Aim == 0 || !measured {
		passed = ""
	}
	fmt.Fprintf(w, "| %s: %s", lines[0].Row, lines[0].What)
	for _, c := range columns {
		cases := ""
		for _, l := range lines {
			if n := fmt.Sprint(l.Cells[c].Cases); !strings.HasSuffix(cases, n) {
				cases = strings.TrimPrefix(cases+"+"+n, "+")
			}
		}
		fmt.Fprintf(w, "\t| %s (%s)", join(lines, func(l line) string {
			if l.Cells[c].Cases == 0 {
				return "–"
			}
			return fmt.Sprintf("%.0f", l.Cells[c].Value)
		}), cases)
	}
	fmt.Fprintf(w, "\t| %s\t| %s\t| %s\t|\n", bars(func(l line) float64 { return l.Must }),
		bars(func(l line) float64 { return l.Aim }), passed)
}

func join(lines []line, of func(line) string) string {
	parts := make([]string, len(lines))
	for i, l := range lines {
		parts[i] = of(l)
	}
	return strings.Join(parts, " / ")
}
