package workspace

import (
	"context"
	"slices"
	"time"

	"mcp-memory/memory"
)

// MergeWhile is MergeMemory with something that happens each time between
// reading the file and replacing it, as an editor does that knows no lock.
func (d Dir) MergeWhile(ctx context.Context, facts []memory.Record, meanwhile func()) error {
	return d.alone(ctx, func(t tree) error {
		return t.edit(ctx, MemoryFile, func(old text) (string, error) {
			meanwhile()
			return mergeFacts(old.content, facts), nil
		})
	})
}

// DraftMemory does half a replacement of MEMORY.md and then calls die, with
// the lock held.
func (d Dir) DraftMemory(ctx context.Context, content string, die func()) error {
	return d.alone(ctx, func(t tree) error {
		old, err := t.read(MemoryFile)
		if err != nil {
			return err
		}
		if _, err := t.root.(onDisk).draft(MemoryFile, old, content); err != nil {
			return err
		}
		die()
		return nil
	})
}

// Alone holds the lock while f runs.
func (d Dir) Alone(ctx context.Context, f func()) error {
	return d.alone(ctx, func(tree) error { f(); return nil })
}

// WhileNobodyLogs runs f as an erasure does that takes lines out of a day log.
func (d Dir) WhileNobodyLogs(ctx context.Context, f func()) error {
	return d.alone(ctx, func(t tree) error {
		return d.whileNobodyLogs(ctx, t, func() error { f(); return nil })
	})
}

// LoadedFiles are the files that sessions are given.
var LoadedFiles = loaded

// MergeFacts is the pure merge of MEMORY.md.
var MergeFacts = mergeFacts

// FormerBeginnings are what a standard file began with in earlier versions.
func FormerBeginnings(name string) []string { return slices.Clone(formerBeginnings[name]) }

// SessionNames are the names that the file of a session can have.
func SessionNames(session string) (plain, other string) { return sessionNames(session) }

// ChooseSession is which of them it has.
var ChooseSession = chooseSession

// MirrorSoul writes the section of SOUL.md as a pass does.
func (d Dir) MirrorSoul(ctx context.Context, entries []memory.Record) error {
	return d.Put(ctx, SoulFile, Settlement{Put: entries, Whole: true})
}

// AppendLearning adds a learning to its file as a pass does.
func (d Dir) AppendLearning(ctx context.Context, r memory.Record) error {
	return d.Put(ctx, LearningFile(r), Settlement{Put: []memory.Record{r}})
}

// Put is a pass over a file that a person left alone.
func (d Dir) Put(ctx context.Context, name string, s Settlement) error {
	return d.Reconcile(ctx, name, time.Time{}, func(Edits) (Settlement, error) { return s, nil })
}
