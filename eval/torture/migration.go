package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-memory/db/sqlite"
	"mcp-memory/eval/child"
	"mcp-memory/internal/testbank"
)

// playMigration: the first start with an older file is killed, and again. The next one finishes; nothing is lost, and the copy
// from before is whole.
func playMigration(ctx context.Context, r *round) error {
	p := r.at("data")
	old := r.bases["old"]
	version := indexedFrom + r.chance.IntN(sqlite.SchemaVersion()-indexedFrom)
	if err := r.makeOlder(ctx, p, version); err != nil {
		return err
	}
	for range 2 {
		if _, err := r.killedIn(ctx, p, filepath.Join(p.Data, "memory.db.before-schema-*"), "stats"); err != nil {
			return err
		}
	}
	if _, err := p.Run(ctx, "stats"); err != nil {
		r.halving("from version %d: %v", version, err)
		return nil
	}
	if err := r.check(ctx, p, old.contents, nil); err != nil {
		return err
	}
	copies, err := filepath.Glob(filepath.Join(p.Data, "memory.db.before-schema-*"))
	if err != nil {
		return err
	}
	copies = slices.DeleteFunc(copies, func(name string) bool { // those that were killed end in the number of a process
		return strings.Contains(strings.TrimPrefix(filepath.Base(name), "memory.db.before-schema-"), ".")
	})
	if len(copies) == 0 { // one killed between two versions leaves a copy of each
		r.halving("from version %d: there is no copy from before", version)
	}
	for n, name := range copies {
		before := r.at(fmt.Sprintf("before%d", n))
		if err := os.Mkdir(before.Data, 0o700); err != nil {
			return err
		}
		if err := os.Rename(name, filepath.Join(before.Data, "memory.db")); err != nil {
			return err
		}
		if err := r.check(ctx, before, old.contents, nil); err != nil {
			return err
		}
	}
	return nil
}

// indexedFrom is the first version of the schema with text indexes: no program wrote records before.
const indexedFrom = 4

// makeOlder makes a directory with the facts of the old base, of an earlier version of the schema.
func (r *round) makeOlder(ctx context.Context, p child.Program, version int) error {
	if r.suite.older != "" {
		earlier := p
		earlier.Binary = r.suite.older
		_, err := earlier.Run(ctx, "import", filepath.Join(r.suite.dir, "old.jsonl"), "--format", "facts")
		return err
	}
	if err := os.Mkdir(p.Data, 0o700); err != nil {
		return err
	}
	return testbank.MakeOlder(ctx, filepath.Join(p.Data, "memory.db"), filepath.Join(r.bases["old"].dir, "memory.db"), version)
}
