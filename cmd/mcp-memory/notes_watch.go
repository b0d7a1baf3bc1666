package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/memory"
	"mcp-memory/transfer"
)

// notePause is the least time between two looks at a watched folder. A changed note is read when
// two looks find it the same.
const notePause = 250 * time.Millisecond

func (p *Program) notesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "notes", Short: "Memories as a folder of Markdown notes, such as for Obsidian", Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	watch := &cobra.Command{
		Use: "watch DIR", Short: "Keep a folder of notes and the bank the same, both ways, until it is ended",
		Args: usageArgs(cobra.ExactArgs(1)),
		Long: `Writes what the bank of --agent holds now to a folder, one note a memory; with --project only what is of that project. Then
what you save in the folder is in the bank within a second, and what agents save is in the folder: an edit of a note is a new
version of the memory, a note that you add becomes a memory and stays as you wrote it, one that you delete is forgotten.
Each change is a line, with the id by which "mcp-memory undo" takes it back. If you and an agent have changed the same memory, yours
holds and the other is its history. If more than 20 notes or all of them vanish at once, nothing is forgotten and it ends.
Notes that are deleted while it does not run are written again. Secrets, conversations and history are in no note.`,
	}
	force := watch.Flags().Bool("force", false, "watch a folder that has other Markdown files, too: what they say becomes memories")
	addJSONFlag(watch)
	watch.RunE = func(cmd *cobra.Command, args []string) error { return p.watchNotes(cmd, args[0], *force) }
	cmd.AddCommand(watch)
	return cmd
}

func (p *Program) watchNotes(cmd *cobra.Command, dir string, force bool) (err error) {
	ctx := cmd.Context()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return cannotUse(dir, err)
	}
	a, err := p.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	scope, err := a.scopeOf(ctx, nil)
	if err != nil {
		return err
	}
	if p.settings.origins["project"] == "default" {
		scope.Project = "" // the working directory does not matter for a folder of notes
	}
	watch := transfer.NewNoteWatch(p.transferDeps(a), scope, dir, force)
	for first := true; ; first = false {
		began := time.Now()
		events, err := watch.Look(ctx)
		for _, group := range groupNotes(events) {
			if err := p.printNote(cmd, group); err != nil {
				return err
			}
		}
		pause := min(max(notePause, 10*time.Since(began)), watchPause) // longer for many notes, so that the machine is not kept busy
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && (first || memory.CodeOf(err) != memory.CodeUnavailable):
			return failedError{err}
		case err != nil: // the database is unavailable for a while
			pause = watchPause
			p.log.Warn("keep the notes and the bank the same", "error", err)
		case first:
			fmt.Fprintf(p.Stderr, "Watching %s; Ctrl-C ends it.\n", visible(dir))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

// shownNotes is how many simultaneous events of one kind are printed as a line each.
const shownNotes = 20

// groupNotes groups events into lines: one for each event, or one for all of a kind if there are
// more than shownNotes.
func groupNotes(events []transfer.NoteEvent) (lines [][]transfer.NoteEvent) {
	of := map[transfer.NoteDid][]transfer.NoteEvent{}
	for _, e := range events {
		of[e.What] = append(of[e.What], e)
	}
	for _, e := range events {
		switch all := of[e.What]; {
		case len(all) <= shownNotes:
			lines = append(lines, []transfer.NoteEvent{e})
		case e == all[0]:
			lines = append(lines, all)
		}
	}
	return lines
}

// noteTexts describe what has happened to a note.
var noteTexts = map[transfer.NoteDid]string{
	transfer.NoteNew: "new in the bank", transfer.NoteChanged: "changed in the bank",
	transfer.NoteGone:    "forgotten, for the note does not say it any more",
	transfer.NoteBoth:    "both sides changed it: yours holds, the other is history",
	transfer.NoteWritten: "written", transfer.NoteRemoved: "removed, for it holds no more",
	transfer.NoteLeft: "left as it is",
}

func (p *Program) printNote(cmd *cobra.Command, group []transfer.NoteEvent) error {
	one := group[0]
	name := one.File
	if len(group) > 1 {
		name = counted(len(group), "note", "notes")
	}
	text := noteTexts[one.What]
	if one.Reason != "" && len(group) == 1 {
		text += ": " + one.Reason
	}
	if name != "" {
		text = name + ": " + text
	}
	switch {
	case one.What == transfer.NoteBoth && len(group) == 1:
		text += " (mcp-memory get " + one.ID + ")"
	case one.UndoID != "":
		text += " (mcp-memory undo " + one.UndoID + ")"
	}
	return p.print(cmd, group, strings.TrimSpace(text))
}
