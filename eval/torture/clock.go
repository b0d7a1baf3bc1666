package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"mcp-memory/eval/child"
	"mcp-memory/internal/testbank"
)

// The program has a clock that can be moved where it is built with a tag: what its binary has in it
// then, and says by how much.
const (
	movedTag   = "movedclock"
	movedClock = "MEMORY_MOVED_CLOCK"
)

// playClock: the clock of the machine jumps back and forth between starts, by seconds to years.
// Servers save and are killed, commands save, take that back, and erase for good. What was
// acknowledged is there; what is taken back is what was changed last; what was erased is gone.
func playClock(ctx context.Context, r *round) error {
	if program, err := os.ReadFile(r.program.Binary); err != nil || !bytes.Contains(program, []byte(movedClock)) {
		return skipError("the program is built without the tag " + movedTag)
	}
	p, err := r.copyOf("data", r.bases["old"])
	if err != nil {
		return err
	}
	ids, err := idsOf(ctx, p)
	if err != nil {
		return err
	}
	texts := slices.Sorted(maps.Keys(ids))
	var all saved
	var gone []string
	for life := range 3 {
		one, err := r.saveAndDie(ctx, r.jumped(p), fmt.Sprintf("c%d.", life), 1+r.chance.IntN(8),
			time.Duration(r.chance.Int64N(int64(4*time.Millisecond))))
		if err != nil {
			return err
		}
		r.kills++
		all.add(one)
		last := fact("undone", life)
		if err := r.savedAndUndone(ctx, p, last); err != nil {
			return err
		}
		all.underway = append(all.underway, last) // an export has what was taken back, too
		i := r.chance.IntN(len(texts))
		if _, err := r.jumped(p).Run(ctx, "forget", ids[texts[i]], "--permanent", "--confirm"); err != nil {
			return err
		}
		r.acknowledged++
		gone, texts = append(gone, texts[i]), slices.Delete(texts, i, i+1)
	}
	if len(all.refused) > 0 {
		return fmt.Errorf("a save was refused: %s", all.refused[0])
	}
	left, err := testbank.Remains(p.Data, wordsOf(gone)...)
	if err != nil {
		return err
	}
	if len(left) > 0 {
		r.losing(len(left), "of what was erased there is still %v", left)
	}
	rest := contents{}
	for _, text := range texts {
		rest[text] = 1
	}
	acknowledged, underway := all.sets(rest)
	return r.check(ctx, p, acknowledged, underway)
}

// savedAndUndone saves a text, and at another time takes the last change back, which has to be that one.
func (r *round) savedAndUndone(ctx context.Context, p child.Program, text string) error {
	if _, err := r.jumped(p).Run(ctx, "save", text); err != nil {
		return err
	}
	out, err := r.jumped(p).Run(ctx, "undo", "--json")
	if err != nil {
		return err
	}
	var undone struct{ Records []struct{ Content string } }
	if err := json.Unmarshal(out, &undone); err != nil {
		return fmt.Errorf("undo: %w: %s", err, out)
	}
	r.acknowledged++
	if len(undone.Records) != 1 || undone.Records[0].Content != text {
		r.losing(1, "%q was saved last, and taken back is %+v", text, undone.Records)
	}
	return nil
}

// jumped is the program at another time.
func (r *round) jumped(p child.Program) child.Program {
	far := []time.Duration{3 * time.Second, 2 * time.Hour, 2 * 24 * time.Hour, 60 * 24 * time.Hour,
		3 * 365 * 24 * time.Hour}[r.chance.IntN(5)]
	by := time.Duration(r.chance.Int64N(int64(2*far))) - far
	p.Env = []string{fmt.Sprintf("%s=%s", movedClock, by)}
	return p
}
