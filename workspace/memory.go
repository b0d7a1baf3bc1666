package workspace

import (
	"context"
	"errors"
	"strings"

	"mcp-memory/memory"
)

// MaxMemoryBytes is the size over which MEMORY.md does not grow by our hand,
// about 8,000 tokens.
const MaxMemoryBytes = 32 << 10

// Memory returns MEMORY.md as it is, without a byte order mark; "" if there is
// none. [memory.CodeTooLarge] over 1 MiB, [memory.CodeInvalidArgument] if it is
// not UTF-8, [memory.CodeForbidden] if it is a link or no file.
func (d Dir) Memory(ctx context.Context) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	t, there, err := d.peek(ctx)
	if err != nil || !there {
		return "", err
	}
	// A replacement is one step, so that reading needs no lock.
	file, err := t.read(MemoryFile)
	return strings.TrimPrefix(file.content, byteOrderMark), errors.Join(err, t.root.Close())
}

// MergeMemory writes facts into MEMORY.md, each as a bullet with its id under
// the heading of its category:
//
//	## Preference
//
//	- Anna takes her tea green. <!-- 01954f3e-… 70 5f3a9c1e -->
//
// The numbers are the importance in percent and a sum of the words. A record
// whose id is anywhere in the file is not written again, whatever the person
// made of its line; one that is archived or superseded is not written at all.
// A record that corrects one in the file takes its place; if the person
// reworded that line, it stays and the correction follows it. What a person
// wrote stays byte for byte, and so do line ends. A bullet shows at most 600
// characters. Over [MaxMemoryBytes] bullets in our words are left out, the least
// important first, of those the oldest by id, and a note says so; the database
// keeps them. The file gets larger only by what a person writes and that note.
//
// Errors: [memory.CodeConflict] if others change the file faster than it is
// merged, [memory.CodeUnavailable] if the workspace stays locked,
// [memory.CodeForbidden] if the file is a link, read-only or no file,
// [memory.CodeTooLarge] if it is over 1 MiB, [memory.CodeInvalidArgument] if it
// is not UTF-8 or an id has other characters than letters, digits and ._:-.
// Then nothing has changed.
func (d Dir) MergeMemory(ctx context.Context, facts []memory.Record) error {
	for _, f := range facts {
		if err := checkID(f.ID); err != nil {
			return err
		}
	}
	if len(facts) == 0 {
		return nil
	}
	return d.alone(ctx, func(t tree) error {
		return t.edit(ctx, MemoryFile, func(old text) (string, error) {
			if !old.exists {
				return mergeFacts(memoryBeginning, facts), nil
			}
			return mergeFacts(old.content, facts), nil
		})
	})
}
