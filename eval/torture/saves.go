package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"mcp-memory/eval/child"
)

// patience is what an answer may take before the server counts as hanging.
const patience = 30 * time.Second

// saved is what a server did until it ended.
type saved struct {
	acknowledged []string
	underway     []string // without an answer
	refused      []string // answered with an error, whose text this is
}

func (s *saved) add(o saved) {
	s.acknowledged = append(s.acknowledged, o.acknowledged...)
	s.underway = append(s.underway, o.underway...)
	s.refused = append(s.refused, o.refused...)
}

// sets returns the texts as contents, beside those that were there.
func (s saved) sets(before contents) (acknowledged, underway contents) {
	acknowledged, underway = contents{}, contents{}
	for text := range before {
		acknowledged[text] = 1
	}
	for _, text := range s.acknowledged {
		acknowledged[text] = 1
	}
	for _, text := range s.underway {
		underway[text] = 1
	}
	return acknowledged, underway
}

// served starts a server, shakes hands and lets it be used. It is stopped afterwards, unless it was killed.
func served(ctx context.Context, start func() (*child.Server, error), use func(context.Context, *child.Server) error) error {
	s, err := start()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errors.New("the server hangs"))
	defer cancel()
	err = s.Initialize(ctx)
	if err == nil {
		err = use(ctx, s)
	}
	if err != nil {
		err = s.Explain(err)
	}
	return errors.Join(err, s.Stop())
}

// saveUntil saves texts one after the other until one has no answer or stop says so.
func saveUntil(ctx context.Context, s *child.Server, name string, stop func(saved) bool) (all saved, err error) {
	for n := 0; !stop(all); n++ {
		text := fact(name, n)
		var answer struct{ ID string }
		err := s.Use(ctx, "memory_save", map[string]string{"content": text}, &answer)
		var refusal child.Refusal
		switch {
		case err == nil && answer.ID != "":
			all.acknowledged = append(all.acknowledged, text)
		case errors.As(err, &refusal):
			all.refused = append(all.refused, string(refusal))
		case ctx.Err() != nil:
			return all, err
		default:
			all.underway = append(all.underway, text)
			return all, nil
		}
	}
	return all, nil
}

// saveAndDie starts a server that saves and is killed a moment after some answers, unless it refuses to save before.
func (r *round) saveAndDie(ctx context.Context, p child.Program, name string, answers int, after time.Duration) (all saved, err error) {
	err = served(ctx, func() (*child.Server, error) { return p.Start(ctx) }, func(ctx context.Context, s *child.Server) (err error) {
		all, err = saveUntil(ctx, s, name, func(all saved) bool {
			if len(all.acknowledged) == answers {
				time.AfterFunc(after, s.Kill)
			}
			return len(all.refused) == refusals
		})
		return err
	})
	return all, err
}

// playSaves: several processes save into one bank, each is killed at some moment, and starts again.
func playSaves(ctx context.Context, r *round) error {
	p, err := r.copyOf("data", r.bases["old"])
	if err != nil {
		return err
	}
	const crew, lives = 3, 2
	var mu sync.Mutex
	var all saved
	var failed error
	var wg sync.WaitGroup
	for member := range crew {
		var answers [lives]int
		var after [lives]time.Duration
		for life := range lives {
			answers[life], after[life] = 1+r.chance.IntN(12), time.Duration(r.chance.Int64N(int64(4*time.Millisecond)))
		}
		wg.Go(func() {
			for life := range lives {
				one, err := r.saveAndDie(ctx, p, fmt.Sprintf("s%d.%d.", member, life), answers[life], after[life])
				mu.Lock()
				all.add(one)
				failed = errors.Join(failed, err)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if failed != nil {
		return failed
	}
	r.kills += crew * lives
	if len(all.refused) > 0 {
		return fmt.Errorf("a save was refused: %s", all.refused[0])
	}
	acknowledged, underway := all.sets(r.bases["old"].contents)
	return r.check(ctx, p, acknowledged, underway)
}

// coded reports whether a refusal has one of the codes that say that the database cannot be used now.
func coded(refusal string) bool { return strings.HasPrefix(refusal, "unavailable: ") }
