package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/eval/sets/distractors"
)

// askEach saves each case with `save`, asks its questions, and passes each answer to judge. Cases
// without questions are left out.
func askEach(ctx context.Context, cases []bankCase, save func(context.Context, bankCase) (*bank, error),
	judge func(bankCase, query, reply)) error {
	for _, c := range cases {
		if len(c.Queries) == 0 {
			continue
		}
		b, err := save(ctx, c)
		if err != nil {
			return err
		}
		for _, q := range c.Queries {
			r, err := b.ask(ctx, q.Question, q.AsOf, len(q.Gold))
			if err != nil {
				return err
			}
			judge(c, q, r)
		}
	}
	return nil
}

func (s *system) fillCase(ctx context.Context, c bankCase) (*bank, error) {
	return s.fill(ctx, c.Case, c.Facts)
}

// askSmall measures the rows that are about the small banks.
func (s *system) askSmall(ctx context.Context, all *sets, t *tally) error {
	save := func(ctx context.Context, c bankCase) (*bank, error) {
		b, err := s.fillCase(ctx, c)
		if err == nil {
			t.judgeTaken(b, c.Facts, c.Queries, c.Queries, nil)
		}
		return b, err
	}
	return askEach(ctx, all.small, save, func(c bankCase, q query, r reply) {
		t.judgeSmall(q, r, c)
		t.judgeLevel(q, r)
	})
}

func (t *tally) judgeSmall(q query, r reply, c bankCase) {
	ok := true
	switch q.Category {
	case update:
		ok = r.rightFirst(q)
		t.hit("changed", ok)
	case past:
		ok = r.rank(q.Gold) == 1
		t.hit("past", ok)
	case profile:
		ok = r.rankFolded(q.Gold) == 1
		t.hit("profile hit@1", ok)
		t.count("profile share", r.share(q.Gold))
	case vague:
		ok = r.share(q.Gold) == 1
		t.count("vague share", r.share(q.Gold))
	case paraphrase:
		ok = r.rankFolded(q.Gold) == 1
		t.hit("paraphrase hit@1", ok)
		t.hit("paraphrase hit@3", r.rankFolded(q.Gold) <= 3)
	case first:
		ok = r.rankFolded(q.Gold) == 1
		t.hit("first", ok)
	case none:
		ok = r.unsure
		t.hit("none", ok)
	}
	if q.Category == none {
		t.silences = append(t.silences, r.best())
	} else {
		t.answerable = append(t.answerable, r.best())
	}
	if !ok {
		row := q.Category
		if row == update {
			row = "changed"
		}
		t.miss(row, q.ID, question(q, r, c.Facts))
	}
}

// askAtOnce measures questions to the small banks before sentence vectors are made.
func (s *system) askAtOnce(ctx context.Context, all *sets, t *tally) error {
	save := func(ctx context.Context, c bankCase) (*bank, error) { return s.save(ctx, c.Case+" at once", c.Facts) }
	return askEach(ctx, askedFor(all.small, update, past, first), save, func(c bankCase, q query, r reply) {
		ok := r.rankFolded(q.Gold) == 1
		if q.Category == update {
			ok = r.rightFirst(q)
		}
		row := map[string]string{update: "changed at once", past: "past at once", first: "first at once"}[q.Category]
		if t.hit(row, ok); !ok {
			t.miss("at_once", q.ID, question(q, r, c.Facts))
		}
	})
}

// askedFor returns the cases with only their questions of some categories.
func askedFor(cases []bankCase, categories ...string) []bankCase {
	cases = slices.Clone(cases)
	for i := range cases {
		cases[i].Queries = slices.DeleteFunc(slices.Clone(cases[i].Queries),
			func(q query) bool { return !slices.Contains(categories, q.Category) })
	}
	return cases
}

// askConfidence measures the row "levels" with the banks of the set confidence.
func (s *system) askConfidence(ctx context.Context, all *sets, t *tally) error {
	return s.askSure(ctx, all.confidence, "levels", t)
}

// amongOthers is how many facts of others are added to a bank, so that it is no longer small.
const amongOthers = 40

// askAmong measures the row "among": the same banks among facts of others.
func (s *system) askAmong(ctx context.Context, all *sets, t *tally) error {
	cases, err := among(all.confidence)
	if err != nil {
		return err
	}
	return s.askSure(ctx, cases, "among", t)
}

// askChangedAmong measures questions about changes to the small banks among facts of others.
func (s *system) askChangedAmong(ctx context.Context, all *sets, t *tally) error {
	cases, err := among(all.small)
	if err != nil {
		return err
	}
	return askEach(ctx, askedFor(cases, update, past), s.fillCase, func(c bankCase, q query, r reply) {
		row, ok := "changed among", r.rightFirst(q)
		if q.Category == past {
			row, ok = "past among", r.rank(q.Gold) == 1
		}
		if t.hit(row, ok); !ok {
			t.miss("changed_among", q.ID, question(q, r, c.Facts))
		}
	})
}

// among returns copies of the banks with facts of others before their own.
func among(banks []bankCase) ([]bankCase, error) {
	others, err := distractors.Facts(distractors.Mixed, amongOthers)
	if err != nil {
		return nil, err
	}
	cases := slices.Clone(banks)
	for i := range cases {
		var facts []fact
		for n, content := range others {
			facts = append(facts, fact{ID: fmt.Sprintf("other-%d", n), Content: content})
		}
		cases[i].Case += " among others"
		cases[i].Facts = append(facts, cases[i].Facts...)
	}
	return cases, nil
}

// askSure measures how well the confidence of answers fits, for the figures of a row.
func (s *system) askSure(ctx context.Context, cases []bankCase, row string, t *tally) error {
	return askEach(ctx, cases, s.fillCase, func(c bankCase, q query, r reply) {
		right := len(q.Gold) > 0 && r.rankFolded(q.Gold) == 1
		if row == "levels" {
			t.judgeLevel(q, r)
		}
		if len(q.Gold) > 0 {
			t.hit(row+" sure", right && !r.unsure)
		} else {
			t.hit(row+" unsure", r.unsure)
		}
		if !r.unsure {
			t.hit(row+" right", right)
		}
		if right == r.unsure {
			t.miss(row, q.ID, question(q, r, c.Facts))
		}
	})
}

// judgeLevel counts how often the first result is right at each level of confidence.
func (t *tally) judgeLevel(q query, r reply) {
	if q.Category != profile && q.Category != vague { // these have several answers
		t.hit("level "+string(r.level), q.Category != past && len(q.Gold) > 0 && r.rankFolded(q.Gold) == 1 ||
			q.Category == past && r.rank(q.Gold) == 1)
	}
}

// question describes a failed question for a person: with what was wanted and what was answered.
func question(q query, r reply, facts []fact) string {
	var b strings.Builder
	fmt.Fprintf(&b, "    %s\n", q.Question)
	for _, id := range q.Gold {
		for _, f := range facts {
			if f.ID == id {
				fmt.Fprintf(&b, "      want %s %s\n", id, f.Content)
			}
		}
	}
	return b.String() + r.String()
}

// askUpdates measures the large bank of changes.
func (s *system) askUpdates(ctx context.Context, all *sets, t *tally) error {
	if len(all.updates.Queries) == 0 {
		return nil
	}
	b, err := s.fill(ctx, all.updates.Case, all.updates.Facts)
	if err != nil {
		return err
	}
	t.judgeTaken(b, all.updates.Facts, all.versions, all.updates.Queries, nil)
	for _, q := range all.updates.Queries {
		r, err := b.ask(ctx, q.Question, q.AsOf, len(q.Gold))
		if err != nil {
			return err
		}
		ok := r.rightFirst(q)
		t.hit("updates right", ok)
		if q.Category == current {
			ok = ok && r.rank(q.Gold) == 1
			t.hit("updates hit@1", r.rank(q.Gold) == 1)
		}
		if !ok {
			t.miss("updates", q.ID, question(q, r, all.updates.Facts))
		}
	}
	return nil
}

// askOpposites measures that both of two contradicting facts are shown, the newer first.
func (s *system) askOpposites(ctx context.Context, all *sets, t *tally) error {
	for _, c := range all.opposites {
		b, err := s.fill(ctx, c.Case, c.Facts)
		if err != nil {
			return err
		}
		for _, asked := range append([]string{c.Question}, c.Also...) {
			r, err := b.ask(ctx, asked, "", 0)
			if err != nil {
				return err
			}
			ok := r.inOrder(c.Newer, c.Older)
			t.hit("opposites", ok)
			if !ok {
				t.miss("opposites", c.Case, question(query{Question: asked, Gold: []string{c.Newer, c.Older}}, r, c.Facts))
			}
		}
	}
	return nil
}
