package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"mcp-memory/eval/child"
	"mcp-memory/internal/testbank"
)

// erased is what became of the erasures of a server.
type erased struct {
	wiped    []string // texts of which the answer says that no byte is left
	gone     []string // texts that are erased; the files are cleared by the next one
	underway []string // texts of the erasure without an answer
}

// playErase: a server erases for good and is killed. What was erased does not come back, not even as bytes in a file
// once the answer says so or the next erasure has ended; all else stays.
func playErase(ctx context.Context, r *round) error {
	old := r.bases["old"]
	p, err := r.copyOf("data", old)
	if err != nil {
		return err
	}
	ids, err := idsOf(ctx, p)
	if err != nil {
		return err
	}
	texts := slices.Sorted(maps.Keys(ids))
	r.chance.Shuffle(len(texts), func(i, k int) { texts[i], texts[k] = texts[k], texts[i] })
	rest := contents{}
	var gone, open []string
	for range 2 {
		var e erased
		if texts, e, err = r.eraseAndDie(ctx, p, texts, ids); err != nil {
			return err
		}
		r.kills++
		r.acknowledged += len(e.wiped) + len(e.gone)
		left, err := testbank.Remains(p.Data, wordsOf(e.wiped)...)
		if err != nil {
			return err
		}
		if len(left) > 0 {
			r.losing(len(left), "of what was erased there is still %v", left)
		}
		gone = append(append(gone, e.wiped...), e.gone...)
		open = append(open, e.underway...)
	}
	for _, text := range texts {
		rest[text] = 1
	}
	// Whoever erases next clears up behind the killed ones.
	last := texts[0]
	delete(rest, last)
	err = served(ctx, func() (*child.Server, error) { return p.Start(ctx) }, func(ctx context.Context, s *child.Server) error {
		pending, err := erase(ctx, s, []string{ids[last]})
		if err == nil && pending { // on a busy machine that goes on behind the answer
			err = p.Cleared(ctx)
		}
		return err
	})
	if err != nil {
		return err
	}
	r.acknowledged++
	return r.checkErased(ctx, p, rest, append(gone, last), open)
}

func (r *round) checkErased(ctx context.Context, p child.Program, rest contents, gone, open []string) error {
	all, err := contentsOf(ctx, p)
	if err != nil {
		return err
	}
	for len(open) > 0 { // each call is done or not
		some := open[:eraseCall]
		open = open[eraseCall:]
		there := 0
		for _, text := range some {
			there += min(1, all[text])
		}
		switch there {
		case 0:
			gone = append(gone, some...)
		case len(some):
			for _, text := range some {
				rest[text] = 1
			}
		default:
			r.halving("of an erasure of %d there are %d", len(some), there)
		}
	}
	for _, text := range gone {
		if all[text] > 0 {
			r.losing(1, "erased and there again: %q", text)
		}
	}
	left, err := testbank.Remains(p.Data, wordsOf(gone)...)
	if err != nil {
		return err
	}
	if len(left) > 0 {
		r.losing(len(left), "of what was erased there is still %v", left)
	}
	return r.check(ctx, p, rest, nil)
}

// eraseCall is how many texts a call erases.
const eraseCall = 3

// eraseAndDie starts a server that erases texts from the front and is killed after some answers. It returns the
// texts that were not named to it.
func (r *round) eraseAndDie(ctx context.Context, p child.Program, texts []string, ids map[string]string) (rest []string, e erased,
	err error) {
	answers := r.chance.IntN(4)
	after := time.Duration(r.chance.Int64N(int64(60 * time.Millisecond)))
	err = served(ctx, func() (*child.Server, error) { return p.Start(ctx) }, func(ctx context.Context, s *child.Server) error {
		for n := 0; len(texts) > 2*eraseCall; n++ {
			if n == answers {
				time.AfterFunc(after, s.Kill)
			}
			some := texts[:eraseCall]
			texts = texts[eraseCall:]
			pending, err := erase(ctx, s, []string{ids[some[0]], ids[some[1]], ids[some[2]]})
			var refusal child.Refusal
			switch {
			case errors.As(err, &refusal), ctx.Err() != nil:
				return err
			case err != nil:
				e.underway = some
				return nil
			case pending:
				e.gone = append(e.gone, some...)
			default:
				e.wiped = append(e.wiped, some...)
			}
		}
		return errors.New("everything was erased before the server was killed")
	})
	return texts, e, err
}

func erase(ctx context.Context, s *child.Server, ids []string) (pending bool, err error) {
	var answer struct {
		Forgotten int
		Pending   bool
	}
	err = s.Use(ctx, "memory_forget", map[string]any{"ids": ids, "permanent": true, "confirm": true}, &answer)
	if err == nil && answer.Forgotten != len(ids) {
		err = fmt.Errorf("%d of %d were erased", answer.Forgotten, len(ids))
	}
	return answer.Pending, err
}

// idsOf returns the ids of the texts in a bank.
func idsOf(ctx context.Context, p child.Program) (map[string]string, error) {
	records, err := exported(ctx, p)
	ids := map[string]string{}
	for _, r := range records {
		ids[r.content] = r.id
	}
	return ids, err
}

// wordsOf returns the word of each text that no other has.
func wordsOf(texts []string) []string {
	words := make([]string, len(texts))
	for i, text := range texts {
		fmt.Sscanf(text, "Entry %s", &words[i])
	}
	return words
}
