package upkeep

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"mcp-memory/memory"
)

// RepairOptions are the options of [Repair].
type RepairOptions struct {
	Dir string // the data directory
	// Salvage writes a new database at to with what can be read of the damaged one at from. The
	// file at from is a copy, which Salvage may change.
	Salvage func(ctx context.Context, from, to string) error
	Verify  Verifier
}

// Repaired is the result of a repair.
type Repaired struct {
	Counts map[string]int // rows of the new database by table
	Before string         // directory, within the data directory, with the old database
}

// Repair makes a new database from what can be read of the old one, checks it, and then exchanges
// the two. [memory.CodeConflict] if any other process uses the directory. The old database is only
// read, and kept.
func Repair(ctx context.Context, o RepairOptions) (r Repaired, err error) {
	d, err := EnterAlone(ctx, o.Dir)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, d.Leave()) }()
	stage, err := os.MkdirTemp(o.Dir, stagePrefix+"*")
	if err != nil {
		return r, cannotWrite(o.Dir, err)
	}
	defer func() {
		if !interrupted(o.Dir) {
			err = errors.Join(err, os.RemoveAll(stage))
		}
	}()
	copies := filepath.Join(stage, "copy")
	if err := os.Mkdir(copies, dirPerm); err != nil {
		return r, cannotWrite(stage, err)
	}
	if err := copyDatabase(o.Dir, copies); err != nil {
		return r, err
	}
	fresh := filepath.Join(stage, Database)
	if err := o.Salvage(ctx, filepath.Join(copies, Database), fresh); err != nil {
		return r, err
	}
	if r.Counts, err = o.Verify(ctx, fresh); err != nil {
		return r, err
	}
	if err := os.RemoveAll(copies); err != nil {
		return r, err
	}
	r.Before, err = d.Exchange(stage, "repair", Database)
	return r, err
}

// copyDatabase copies the database and its log. One of them may be missing.
func copyDatabase(from, to string) error {
	found := false
	for _, name := range []string{Database, Database + "-wal"} {
		err := copyFile(filepath.Join(from, name), filepath.Join(to, name))
		if absent(err) != nil {
			return cannotWrite(name, err)
		}
		found = found || err == nil
	}
	if !found {
		return memory.Errorf(memory.CodeNotFound, "there is no database to repair").
			WithHint("`mcp-memory restore` puts a backup in its place")
	}
	return nil
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, filePerm)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}
