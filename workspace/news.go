package workspace

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// undoTold is for how long News tells how to bring back lines that were taken out.
const undoTold = 24 * time.Hour

// News tells what somebody has to know of the mirrored files, a line each: lines that
// wait for a decision, what an edit left no room for, and for a day how lines that were
// taken out come back. Nothing where all is well. Errors are those of [Dir.List].
func (d Dir) News(ctx context.Context, now time.Time) ([]string, error) {
	t, there, err := d.peek(ctx)
	if err != nil || !there {
		return nil, err
	}
	base := t.base()
	if err := t.root.Close(); err != nil {
		return nil, err
	}
	var news []string
	for _, name := range Mirrored() {
		file := base.file(name)
		if n := len(file.Held); n > 0 {
			news = append(news,
				fmt.Sprintf("%s: %s vanished at once; nothing was forgotten: ask the user, then mcp-memory workspace accept or restore",
					name, linesOf(n)))
		}
		if file.Undo != "" && now.Sub(file.UndoAt) < undoTold {
			news = append(news,
				fmt.Sprintf("%s: lines were taken out and their memories archived; memory_forget with undo %s brings them back",
					name, file.Undo))
		}
	}
	conflicts, err := d.Conflicts(ctx)
	if n := len(conflicts); n > maxConflictsTold {
		conflicts = append(conflicts[n-maxConflictsTold:], fmt.Sprintf("%d more", n-maxConflictsTold))
	}
	if len(conflicts) > 0 {
		news = append(news, strings.Join(conflicts, ", ")+
			" keeps what an edit left no room for: ask the user, copy back what is missed, delete the file")
	}
	return news, err
}

const maxConflictsTold = 2

func linesOf(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}
