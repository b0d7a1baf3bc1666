package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcp-memory/eval/bench"
	"mcp-memory/eval/jsonl"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
	"mcp-memory/text/when"
)

func main() { bench.Main("dates", run) }

// days are from one day to another, both included.
type days struct{ From, To string }

// sentence is a line of a set.
type sentence struct {
	ID, Lang, Content, Relation, Recurs, Question string

	Said  time.Time `json:"said_at"`
	Asked time.Time `json:"asked_at"`
	Means *days
	Also  []days
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var data bench.List
	flags := bench.Flags("dates", stderr)
	flags.Var(&data, "data", "directory of sets; may be repeated")
	misses := flags.Bool("misses", false, "print what was read or found wrongly")
	judge := flags.Bool("judge", false, "fail where a must is not reached")
	if err := bench.Parse(flags, args); err != nil {
		return err
	}
	if len(data) == 0 {
		return bench.ErrNoData
	}
	var below []string
	for _, dir := range data {
		paths, err := filepath.Glob(filepath.Join(dir, "dates*.jsonl"))
		if err != nil {
			return fmt.Errorf("find the sets: %w", err)
		}
		for _, path := range paths {
			var all []sentence
			if err := jsonl.Each(path, func(s sentence) error { all = append(all, s); return nil }); err != nil {
				return err
			}
			told := io.Discard
			if *misses {
				told = stdout
			}
			name := filepath.Join(filepath.Base(dir), filepath.Base(path))
			right, err := measure(ctx, name, all, stdout, told)
			if err != nil {
				return err
			}
			if *judge && !right {
				below = append(below, name)
			}
		}
	}
	if len(below) > 0 {
		return fmt.Errorf("below must: %s", strings.Join(below, ", "))
	}
	return nil
}

// What has to be reached, in percent: of times that are read exactly and that are invented at
// most, and of sentences that are found first and in five.
const leastRead, mostInvented, leastFirst, leastFive = 92, 4, 82, 95

// share is how many of some are right.
type share struct{ right, all int }

func (s *share) add(right bool) {
	s.all++
	if right {
		s.right++
	}
}

func (s share) percent() float64 { return 100 * float64(s.right) / float64(max(1, s.all)) }

func (s share) String() string { return fmt.Sprintf("%5.1f of %d", s.percent(), s.all) }

// measure shows how well a set is read and found, and reports whether that is what it must be.
func measure(ctx context.Context, name string, all []sentence, stdout, told io.Writer) (bool, error) {
	var exact, near, related, invented, habits share
	for _, s := range all {
		got := when.Mentions(s.Content, s.Said)
		switch {
		case s.Means != nil:
			meant := append([]days{*s.Means}, s.Also...)
			is := slices.ContainsFunc(got, func(m when.Mention) bool { return slices.Contains(meant, daysOf(m)) })
			exact.add(is)
			over := slices.ContainsFunc(got, func(m when.Mention) bool {
				d := daysOf(m)
				return d.From <= s.Means.To && s.Means.From <= d.To
			})
			near.add(over)
			related.add(slices.ContainsFunc(got, func(m when.Mention) bool {
				d := daysOf(m)
				return d.From <= s.Means.To && s.Means.From <= d.To && string(m.Relation) == s.Relation
			}))
			if !is {
				fmt.Fprintf(told, "%s %s %s\n   %s: %v, read as %s\n", s.ID, s.Said.Format("Mon 2006-01-02"), s.Content, s.Relation,
					*s.Means, show(got))
			}
		default:
			if s.Recurs != "" {
				habits.add(len(got) > 0)
			} else {
				invented.add(len(got) > 0)
			}
			if len(got) > 0 {
				fmt.Fprintf(told, "%s %s %s\n   no time, read as %s\n", s.ID, s.Said.Format("Mon 2006-01-02"), s.Content, show(got))
			}
		}
	}
	fmt.Fprintf(stdout, "%s: read exactly %s, nearly %s, with its relation %s; invented %s, of habits %s\n", name, exact, near, related,
		invented, habits)
	found, err := find(ctx, name, all, stdout, told)
	return found && exact.percent() >= leastRead && invented.percent() <= mostInvented, err
}

func daysOf(m when.Mention) days {
	return days{m.From.Format(time.DateOnly), m.Last().Format(time.DateOnly)}
}

func show(list []when.Mention) (text string) {
	for _, m := range list {
		d := daysOf(m)
		text += fmt.Sprintf("[%s %s %s..%s] ", m.Text, m.Relation, d.From, d.To)
	}
	return text
}

// find asks the questions of a bank that has all sentences.
func find(ctx context.Context, name string, all []sentence, stdout, told io.Writer) (bool, error) {
	now := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	b, err := bench.Open(ctx, func() time.Time { return now })
	if err != nil {
		return false, err
	}
	defer b.Close()
	scope := memory.Scope{Agent: "dates"}
	ids := map[string]string{}
	byTime := slices.Clone(all)
	slices.SortStableFunc(byTime, func(a, b sentence) int { return a.Said.Compare(b.Said) })
	for _, s := range byTime {
		now = s.Said.UTC()
		saved, err := b.Remember.Save(ctx, scope, remember.SaveRequest{Content: s.Content, OccurredAt: s.Said})
		if err != nil {
			return false, fmt.Errorf("save %s: %w", s.ID, err)
		}
		ids[s.ID] = saved.ID
	}
	if err := b.Encode(ctx); err != nil {
		return false, err
	}
	now = now.AddDate(1, 0, 0)
	var first, five, firstTimed, fiveTimed share
	for _, s := range all {
		answer, err := b.Recall.Recall(ctx,
			recall.Request{Query: s.Question, Scope: scope, Limit: recall.DefaultLimit, MinScore: recall.Floor, Lenient: true,
				Filter: memory.Filter{AsOf: s.Asked}})
		if err != nil {
			return false, fmt.Errorf("ask %s: %w", s.ID, err)
		}
		rank := slices.IndexFunc(answer.Results,
			func(r recall.Result) bool { return r.ID == ids[s.ID] || slices.Contains(r.Duplicates, ids[s.ID]) })
		first.add(rank == 0)
		five.add(rank >= 0 && rank < 5)
		if s.Means != nil {
			firstTimed.add(rank == 0)
			fiveTimed.add(rank >= 0 && rank < 5)
		}
		if rank != 0 {
			above := ""
			if len(answer.Results) > 0 {
				above = answer.Results[0].Content
			}
			fmt.Fprintf(told, "%s at %d, asked %s: %s\n   %s\n   above: %s\n", s.ID, rank+1, s.Asked.Format("Mon 2006-01-02"), s.Question,
				s.Content, above)
		}
	}
	fmt.Fprintf(stdout, "%s: first %s, in five %s; with a time: first %s, in five %s\n", name, first, five, firstTimed, fiveTimed)
	return first.percent() >= leastFirst && five.percent() >= leastFive, nil
}
