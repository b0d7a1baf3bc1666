package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mcp-memory/internal/plainfile"
	"mcp-memory/transfer"
)

// isFolder reports whether an import is of a folder of notes.
func isFolder(name, format string) bool {
	if format != "" {
		return format == string(transfer.Markdown)
	}
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func (p *Program) importNotes(cmd *cobra.Command, dir string, o transfer.Options) (err error) {
	info, err := os.Stat(dir)
	if err != nil {
		return cannotUse(dir, err)
	}
	if !info.IsDir() {
		return usageError{fmt.Errorf("%s is a file: --format markdown reads a folder of notes", dir)}
	}
	size := folderSize(dir)
	p.loading = true
	a, err := p.open(cmd.Context())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	if o.Scope, err = a.scopeOf(cmd.Context(), nil); err != nil {
		return err
	}
	if p.settings.origins["project"] == "default" {
		o.Scope.Project = "" // the working directory does not matter for a folder of notes, as with --from obsidian
	}
	bar := p.progressBar(size, "importing")
	o.Progress = func(_, bytes int64) { bar.Set64(bytes) }
	report, err := transfer.ImportNotes(cmd.Context(), p.transferDeps(a), dir, o)
	bar.Exit()
	if err != nil {
		if text := undoText(report); text != "" {
			fmt.Fprintln(p.Stderr, "Before the import failed: "+visible(text))
		}
		return failedError{err}
	}
	return p.printReport(cmd, report, "Imported")
}

// folderSize returns how many bytes an import reads at most, for the progress bar; -1 if that is
// unknown.
func folderSize(dir string) (size int64) {
	root, err := plainfile.OpenRoot(dir)
	if err != nil {
		return -1
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && name != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if lower := strings.ToLower(name); strings.HasSuffix(lower, ".md") || strings.HasSuffix(lower, ".jsonl") {
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	if err != nil {
		return -1
	}
	return size
}

func (p *Program) exportNotes(cmd *cobra.Command, dir string, force bool) (err error) {
	if dir == "-" {
		return usageError{errors.New("a folder of notes cannot be written to stdout: name one")}
	}
	a, err := p.openExisting(cmd.Context())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	bar := p.progressBar(-1, "exporting")
	report, err := transfer.ExportNotes(cmd.Context(), p.transferDeps(a), a.scope.Agent, dir, force,
		func(_, bytes int64) { bar.Set64(bytes) })
	bar.Exit()
	if err != nil {
		return err
	}
	for _, kept := range report.Kept {
		fmt.Fprintf(p.Stderr, "left as it is: %s\n", visible(kept))
	}
	return errors.Join(p.printReport(cmd, report, "Exported"), damagedError(report))
}

// notesText describes what an export of notes changed in the folder.
func notesText(r transfer.Report) string {
	text := counted(r.Written, "file was written", "files were written")
	if r.Removed > 0 {
		text += ", " + counted(r.Removed, "was removed, for the bank has no more what it was made of",
			"were removed, for the bank has no more what they were made of")
	}
	if n := len(r.Kept); n > 0 {
		text += ", " + counted(n, "was left as somebody edited it (import the folder, or --force)",
			"were left as somebody edited them (import the folder, or --force)")
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// placeOf returns the place of a broken line.
func placeOf(bad transfer.BadLine) string {
	switch {
	case bad.File == "":
		return fmt.Sprintf("line %d", bad.Line)
	case bad.Line == 0:
		return bad.File
	}
	return fmt.Sprintf("%s:%d", bad.File, bad.Line)
}
