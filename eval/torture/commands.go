package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"mcp-memory/eval/child"
)

// importBatch is how many lines an import commits together.
const importBatch = 500

// playImport: an import of facts is killed, and again, and done. Batches are whole, and in the end everything is
// there once.
func playImport(ctx context.Context, r *round) error {
	const facts = 4*importBatch - 100
	file, fresh := filepath.Join(r.dir, "facts.jsonl"), contents{}
	for n := range facts {
		fresh[fact("import", n)] = 1
	}
	if err := writeFacts(file, "import", facts); err != nil {
		return err
	}
	return r.importInto(ctx, file, "facts", fresh, func(there int) bool { return there%importBatch == 0 })
}

// playBundle: the same of what another bank has exported.
func playBundle(ctx context.Context, r *round) error {
	fresh := r.bases["new"]
	p, file := r.program, filepath.Join(r.dir, "bundle.jsonl")
	p.Data = fresh.dir
	if _, err := p.Run(ctx, "export", file); err != nil {
		return err
	}
	return r.importInto(ctx, file, "bundle", fresh.contents, func(int) bool { return true })
}

// importInto imports a file into the old base, killed twice, and then to its end; whole reports whether so many of it may be there
// meanwhile.
func (r *round) importInto(ctx context.Context, file, format string, fresh contents, whole func(there int) bool) error {
	old := r.bases["old"]
	p, err := r.copyOf("data", old)
	if err != nil {
		return err
	}
	for range 2 {
		done, err := r.killedIn(ctx, p, "", "import", file, "--format", format)
		if err != nil {
			return err
		}
		all, err := contentsOf(ctx, p)
		if err != nil {
			return err
		}
		r.compare(all, old.contents, fresh)
		if n := len(all) - len(old.contents); n != len(fresh) && (!whole(n) || !done) {
			r.halving("%d lines of a killed import", n)
		}
	}
	if _, err := p.Run(ctx, "import", file, "--format", format); err != nil {
		return err
	}
	wanted := maps.Clone(old.contents)
	maps.Copy(wanted, fresh)
	return r.check(ctx, p, wanted, nil)
}

// playBackup: a backup over an earlier one is killed, while a server saves. The file is the earlier one or the new one, whole.
func playBackup(ctx context.Context, r *round) error {
	old := r.bases["old"]
	p, err := r.copyOf("data", old)
	if err != nil {
		return err
	}
	file := filepath.Join(r.dir, "backup.tar.gz")
	if _, err := p.Run(ctx, "backup", file); err != nil {
		return err
	}
	before, saves := saved{}, 1+r.chance.IntN(8)
	var during saved
	err = served(ctx, func() (*child.Server, error) { return p.Start(ctx) }, func(ctx context.Context, s *child.Server) error {
		before, err = saveUntil(ctx, s, "before", func(all saved) bool { return len(all.acknowledged) >= saves })
		if err != nil {
			return err
		}
		ended := make(chan error, 1)
		go func() {
			_, err := r.killedIn(ctx, p, filepath.Join(r.dir, ".mcp-memory-backup-*", "archive"), "backup", file, "--force")
			ended <- err
		}()
		var failed error
		over := false
		during, err = saveUntil(ctx, s, "during", func(saved) bool {
			select {
			case failed = <-ended:
				over = true
			default:
			}
			return over
		})
		if !over { // the server has died, which nobody wanted
			failed = errors.Join(<-ended, errors.New("the server has died"))
		}
		return errors.Join(err, failed)
	})
	if err != nil {
		return err
	}
	if err := r.restored(ctx, file, old.contents, before, during); err != nil {
		return err
	}
	before.add(during)
	acknowledged, underway := before.sets(old.contents)
	return r.check(ctx, p, acknowledged, underway)
}

// restored restores a backup: it holds what an earlier one held, or also what was saved before it
// began, and any of what was saved meanwhile.
func (r *round) restored(ctx context.Context, file string, earlier contents, before, during saved) error {
	p := r.at("restored")
	if _, err := p.Run(ctx, "restore", "--yes", file); err != nil {
		r.halving("the backup cannot be restored: %v", err)
		return nil
	}
	all, err := contentsOf(ctx, p)
	if err != nil {
		return err
	}
	if !all.equal(earlier) {
		wanted, _ := before.sets(earlier)
		meanwhile, _ := during.sets(nil)
		r.compare(all, wanted, meanwhile)
	}
	return r.healthy(ctx, p)
}

// playRestore: a restore is killed. The directory has the old state or the new one, as a whole; the next restore makes it the new one.
func playRestore(ctx context.Context, r *round) error {
	old, fresh := r.bases["old"], r.bases["new"]
	file := filepath.Join(r.suite.dir, "new.tar.gz")
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		p := r.program
		p.Data = fresh.dir
		if _, err := p.Run(ctx, "backup", file); err != nil {
			return err
		}
	}
	p, err := r.copyOf("data", old)
	if err != nil {
		return err
	}
	killed, err := r.killedIn(ctx, p, filepath.Join(p.Data, "before-restore-*", "memory.db"), "restore", "--yes", file)
	if err != nil {
		return err
	}
	if err := r.oneOf(ctx, p, !killed); err != nil {
		return err
	}
	if _, err := p.Run(ctx, "restore", "--yes", file); err != nil {
		r.halving("the next restore fails: %v", err)
		return nil
	}
	if err := r.oneOf(ctx, p, true); err != nil {
		return err
	}
	return r.healthy(ctx, p)
}

// oneOf checks that a directory is one of two states by database and workspace, or only the new one.
func (r *round) oneOf(ctx context.Context, p child.Program, onlyNew bool) error {
	r.acknowledged++
	all, err := contentsOf(ctx, p)
	if err != nil {
		r.losing(1, "neither state can be read: %v", err)
		return nil
	}
	name := "old"
	if onlyNew || len(all) == len(r.bases["new"].contents) {
		name = "new"
	}
	if !all.equal(r.bases[name].contents) {
		r.losing(1, "the %s state: %d records of %d", name, len(all), len(r.bases[name].contents))
	}
	page, err := os.ReadFile(filepath.Join(p.Data, "workspaces", "default", "MEMORY.md"))
	if err != nil || string(page) != name+"\n" {
		r.halving("the database is the %s one, its workspace says %q, %v", name, page, err)
	}
	for _, left := range []string{".new-*", "exchange.json"} {
		if found, err := filepath.Glob(filepath.Join(p.Data, left)); err != nil || onlyNew && len(found) > 0 {
			return fmt.Errorf("left in the directory: %v, %v", found, err)
		}
	}
	return nil
}
