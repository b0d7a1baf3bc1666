package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"

	"mcp-memory/db"
	"mcp-memory/memory"
	"mcp-memory/workspace"
)

// copiedFiles is the result of copying workspaces.
type copiedFiles struct {
	Workspaces int `json:"workspaces"`
	workspace.Carried
	LeftOut string   `json:"left_out,omitempty"` // why no workspace was copied
	Changed []string `json:"changed,omitempty"`  // agents whose files were changed during the copy
}

// workspacesOf returns the workspaces that belong to a database. It is nil if they are not known: a
// file that is in no data directory has none.
func (p *Program) workspacesOf(url string, store db.Moving) func(agent string) workspace.Dir {
	if files, can := store.(memory.FileStore); can {
		if p.settings.get("workspace.store") == filesOnDisk {
			return nil
		}
		return workspace.In(files).Open
	}
	if filepath.Base(url) != databaseName {
		return nil
	}
	return func(agent string) workspace.Dir { return workspace.Open(filepath.Dir(url), agent) }
}

// unknownFiles says why [Program.workspacesOf] is nil.
func (p *Program) unknownFiles(store db.Moving) string {
	if _, can := store.(memory.FileStore); can {
		return "workspace.store is " + filesOnDisk
	}
	return "the database is in no data directory"
}

// copyFiles copies the workspaces of some agents, or for nil of all agents with the files they
// share.
func (p *Program) copyFiles(ctx context.Context, source, target string, from, to db.Moving, agents []string) (*copiedFiles, error) {
	open, into := p.workspacesOf(source, from), p.workspacesOf(target, to)
	switch {
	case open == nil:
		return &copiedFiles{LeftOut: "nobody knows where the source has them: " + p.unknownFiles(from)}, nil
	case into == nil:
		return &copiedFiles{LeftOut: "nobody knows where they belong in the copy: " + p.unknownFiles(to)}, nil
	}
	var dirs [][2]workspace.Dir
	all := agents == nil
	if all {
		if err := from.Depart(ctx, func(d memory.Departure) (err error) {
			agents, err = d.Agents()
			return err
		}); err != nil {
			return nil, err
		}
		dirs = append(dirs, [2]workspace.Dir{open(p.settings.get("agent")).Shared(), into(p.settings.get("agent")).Shared()})
	}
	names := agents
	for _, agent := range agents {
		dirs = append(dirs, [2]workspace.Dir{open(agent), into(agent)})
	}
	if all {
		names = append([]string{workspace.SharedFolder}, agents...)
	}
	var r copiedFiles
	sumFrom, sumTo := sha256.New(), sha256.New()
	for i, pair := range dirs {
		one, err := workspace.Carry(ctx, pair[0], pair[1])
		if err != nil {
			return nil, fmt.Errorf("workspace of %s: %w", names[i], err)
		}
		if one.Files > 0 {
			r.Workspaces++
		}
		r.Files, r.Bytes, r.Written = r.Files+one.Files, r.Bytes+one.Bytes, r.Written+one.Written
		for _, name := range one.Left {
			r.Left = append(r.Left, names[i]+"/"+name)
		}
		if one.SumFrom != one.SumTo {
			r.Changed = append(r.Changed, names[i])
		}
		fmt.Fprintln(sumFrom, one.SumFrom)
		fmt.Fprintln(sumTo, one.SumTo)
	}
	r.SumFrom, r.SumTo = hex.EncodeToString(sumFrom.Sum(nil)), hex.EncodeToString(sumTo.Sum(nil))
	return &r, nil
}

// text describes the result for people, "" if there is nothing to say.
func (r *copiedFiles) text() string {
	switch {
	case r == nil:
		return ""
	case r.LeftOut != "":
		return "\nFiles of workspaces were left out, as " + r.LeftOut + "."
	case r.Files+len(r.Left) == 0:
		return ""
	}
	text := fmt.Sprintf("\nWith them %s of %s, %d written now; both sides come to %s.", counted(r.Files, "file", "files"),
		counted(r.Workspaces, "workspace", "workspaces"), r.Written, r.SumTo)
	for _, name := range r.Left {
		text += "\nleft out, a link or no file: " + visible(name)
	}
	if len(r.Changed) > 0 {
		text += fmt.Sprintf("\nMeanwhile files of %s were written in the source: run it again when nobody uses either.",
			counted(len(r.Changed), "workspace", "workspaces"))
	}
	return text
}
