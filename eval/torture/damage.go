package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"mcp-memory/eval/child"
)

const pageSize = 4096

// playDamage: some pages of the database are damaged. Either it shows in nothing, or a doctor notices it; then a repair
// brings back all but what it names or counts, and after it there is nothing to find.
func playDamage(ctx context.Context, r *round) error {
	p, err := r.copyOf("data", r.bases["old"])
	if err != nil {
		return err
	}
	before, err := exported(ctx, p)
	if err != nil {
		return err
	}
	r.acknowledged += len(before)
	what, err := r.damage(filepath.Join(p.Data, "memory.db"))
	if err != nil {
		return err
	}
	if err := errors.Join(r.listed(ctx, p, what, before), r.browsed(ctx, p, what)); err != nil {
		return err
	}
	broken, err := doctor(ctx, p)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if len(broken) == 0 {
		after, err := exported(ctx, p)
		if err != nil {
			r.halving("%s: the doctor finds nothing, and the export says %v", what, err)
			return nil
		}
		for _, a := range after {
			if a.damaged {
				r.halving("%s: the doctor finds nothing, and the export names %s", what, a.id)
			}
		}
		r.compareRecords(what+", unnoticed", before, after, 0)
		return nil
	}
	out, err := p.Run(ctx, "doctor", "--repair", "--json")
	if err != nil {
		r.halving("%s: repair: %v", what, err)
		return nil
	}
	var repaired struct {
		Lost    []string
		Unnamed int
	}
	if err := json.Unmarshal(out, &repaired); err != nil {
		return fmt.Errorf("%s: repair: %w: %s", what, err, out)
	}
	after, err := exported(ctx, p)
	if err != nil {
		r.losing(len(before), "%s: after the repair: %v", what, err)
		return nil
	}
	r.compareRecords(what, before, after, len(repaired.Lost)+repaired.Unnamed)
	return r.wellAfter(ctx, p, what, after)
}

// listed has the memories listed: what is not said to be damaged was saved, and where that cannot be, a code says so.
func (r *round) listed(ctx context.Context, p child.Program, what string, before []record) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out, err := p.Run(ctx, "list", "--json", "--limit", "500")
	if ctx.Err() != nil {
		r.halving("%s: list hangs", what)
	}
	if err != nil {
		if !strings.Contains(err.Error(), "mcp-memory: unavailable: ") {
			r.halving("%s: list: %v", what, err)
		}
		return nil
	}
	var list struct {
		Items []struct {
			Content string
			Damaged bool
		}
	}
	if err := json.Unmarshal(out, &list); err != nil {
		return fmt.Errorf("list: %w", err)
	}
	for _, one := range list.Items {
		if !one.Damaged && !slices.ContainsFunc(before, func(b record) bool { return b.content == one.Content }) {
			r.halving("%s: list shows what nobody saved: %q", what, one.Content)
		}
	}
	return nil
}

// browsed browses on a terminal, where there is the command that gives one: down, into a memory, back, a search, out. It neither
// breaks down nor hangs.
func (r *round) browsed(ctx context.Context, p child.Program, what string) error {
	terminal, err := exec.LookPath("script")
	if err != nil || runtime.GOOS != "linux" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	browse := p.Command(ctx, "browse")
	cmd := exec.CommandContext(ctx, terminal, "-qec", "stty cols 100 rows 30; exec '"+strings.Join(browse.Args, "' '")+"'", os.DevNull)
	cmd.Dir, cmd.Env = browse.Dir, append(browse.Env, "TERM=xterm")
	keys, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	var seen bytes.Buffer
	cmd.Stdout = &seen
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		for _, key := range []string{"j", "j", "\r", "\x1b[D", "/", "crate", "\r", "q", "\x03"} {
			time.Sleep(50 * time.Millisecond) // a person is not faster
			_, _ = keys.Write([]byte(key))    // it may have ended
		}
	}()
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		r.halving("%s: browse hangs", what)
	case bytes.Contains(seen.Bytes(), []byte("goroutine ")):
		r.halving("%s: browse: %v: %s", what, err, seen.Bytes()[max(0, seen.Len()-1000):])
	}
	return nil
}

// wellAfter wants nothing to be found after a repair, but for texts that are marked as changed: nobody has the right ones.
func (r *round) wellAfter(ctx context.Context, p child.Program, what string, after []record) error {
	changed := false
	for _, a := range after {
		changed = changed || a.damaged
	}
	broken, err := doctor(ctx, p)
	if err != nil {
		return err
	}
	for _, f := range broken {
		if f.Check != "contents" || !changed {
			r.halving("%s: after the repair the doctor finds %v", what, f)
		}
	}
	return nil
}

// compareRecords counts what is missing: told is how many a repair has said are.
func (r *round) compareRecords(what string, before, after []record, told int) {
	have := map[string]record{}
	for _, a := range after {
		have[a.id] = a
	}
	missing := 0
	for _, b := range before {
		a, there := have[b.id]
		delete(have, b.id)
		switch {
		case !there:
			missing++
		case a.damaged:
			r.named++
		case a.content != b.content:
			r.halving("%s: %q has become %q", what, b.content, a.content)
		}
	}
	for _, a := range have {
		if !a.damaged {
			r.halving("%s: nobody saved %q", what, a.content)
		}
	}
	r.named += min(missing, told)
	if missing > told {
		r.losing(missing-told, "%s: %d are missing, a repair told of %d", what, missing, told)
	}
}

// damage changes one to four pages of a file, and says which and how.
func (r *round) damage(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	var all []string
	for range 1 + r.chance.IntN(4) {
		n := r.chance.IntN(len(text) / pageSize)
		page := text[n*pageSize:][:pageSize]
		kind := []string{"zeros", "noise", "one bit", "a hole", "another page"}[r.chance.IntN(5)]
		switch kind {
		case "zeros":
			clear(page)
		case "noise":
			r.noise(page)
		case "one bit":
			page[r.chance.IntN(pageSize)] ^= 1 << r.chance.IntN(8)
		case "a hole":
			at := r.chance.IntN(pageSize - 16)
			r.noise(page[at : at+1+r.chance.IntN(pageSize-at)])
		case "another page":
			copy(page, text[r.chance.IntN(len(text)/pageSize)*pageSize:][:pageSize])
		}
		r.pages++
		all = append(all, fmt.Sprintf("%s in page %d", kind, n+1))
	}
	return strings.Join(all, ", "), os.WriteFile(path, text, 0o600)
}

func (r *round) noise(b []byte) {
	for i := range b {
		b[i] = byte(r.chance.IntN(256))
	}
}
