package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"mcp-memory/db"
	"mcp-memory/memory"
	"mcp-memory/upkeep"
)

// backedUp is the result of the backup command.
type backedUp struct {
	File string `json:"file"`
	upkeep.Manifest
	Removed []string `json:"removed,omitempty"` // older backups that were removed
}

func (p *Program) backupCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "backup FILE", Short: "Write the whole data directory to one file, while it is in use",
		Args: usageArgs(cobra.ExactArgs(1)),
		Long: "Writes the database, the workspaces and config.yaml to one compressed file that only its owner may read, while servers\n" +
			"go on; reads it again and checks the database in it; and only then gives it its name. `restore` reads it.\n" +
			"FILE may be a directory: the file is then named by the time, and --keep removes older ones of such a name.\n" +
			"Not in it: models, which `model pull` fetches again. What is forgotten for good later stays in older backups.",
	}
	force := cmd.Flags().Bool("force", false, "replace a file that exists")
	keep := cmd.Flags().Int("keep", 0, "of the backups in the directory FILE, keep the newest so many; 0 keeps all")
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		name := args[0]
		if *keep < 0 || *keep > 0 && !isDir(name) {
			return usageError{errors.New("--keep needs a number from 1, and FILE to be a directory")}
		}
		return p.backup(cmd, name, *keep, *force)
	}
	return cmd
}

func (p *Program) backup(cmd *cobra.Command, name string, keep int, force bool) (err error) {
	if err := p.onlyFiles("backup"); err != nil {
		return err
	}
	dir := ""
	if isDir(name) {
		dir = name
		name = filepath.Join(dir, upkeep.BackupName(p.Clock()))
	}
	a, err := p.openExisting(cmd.Context())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	bar := p.progressBar(-1, "backing up")
	o := p.backupOptions(a)
	o.Replace = force
	o.Progress = func(done, total int64) { bar.ChangeMax64(total); bar.Set64(done) }
	made := backedUp{File: name}
	made.Manifest, err = upkeep.Backup(cmd.Context(), name, o)
	bar.Exit()
	if err != nil {
		return err
	}
	if keep > 0 {
		if made.Removed, err = upkeep.Rotate(dir, keep); err != nil {
			return err
		}
	}
	return p.print(cmd, made, fmt.Sprintf("Backed up %s, read again and checked: %s.", inAll(made.Manifest), name))
}

func (p *Program) backupOptions(a *app) upkeep.BackupOptions {
	return upkeep.BackupOptions{Dir: p.settings.get("data_dir"), Store: a.store, Verify: db.Verify, Program: version(), Clock: p.Clock}
}

// inAll counts the contents of a backup, for people.
func inAll(m upkeep.Manifest) string {
	return fmt.Sprintf("%s and %s of %s", counted(m.Counts["records"], "memory", "memories"),
		counted(m.Counts["turns"], "message", "messages"),
		counted(m.Counts["banks"], "bank", "banks"))
}

func (p *Program) restoreCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "restore FILE", Short: "Put a backup in the place of the data directory's contents",
		Args: usageArgs(cobra.ExactArgs(1)),
		Long: "Reads a file that `backup` wrote, checks it, and puts it in the place of the database, the workspaces and config.yaml;\n" +
			"a config.yaml that the backup has not stays, as it says how this machine is set up.\n" +
			"No server may be running. What was there before goes to a directory beside, whose name is printed. A restore that is\n" +
			"killed leaves the old state or the new one, never a mixture. Where there is something to replace it asks, and without a\n" +
			"terminal needs --yes.",
	}
	yes := cmd.Flags().BoolP("yes", "y", false, "do not ask")
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := p.onlyFiles("restore"); err != nil {
			return err
		}
		dir := p.settings.get("data_dir")
		if err := makeDataDir(dir); err != nil {
			return err
		}
		if !*yes {
			if err := p.mayReplace(cmd.Context(), dir, args[0]); err != nil {
				return err
			}
		}
		bar := p.progressBar(-1, "restoring")
		r, err := upkeep.Restore(cmd.Context(), args[0], upkeep.RestoreOptions{
			Dir: dir, Verify: db.Verify, Progress: func(done, total int64) { bar.ChangeMax64(total); bar.Set64(done) },
		})
		bar.Exit()
		if err != nil {
			return err
		}
		result := struct {
			upkeep.Manifest
			Before string `json:"before,omitempty"`
		}{r.Manifest, r.Before}
		text := "Restored " + inAll(r.Manifest) + "."
		if r.Before != "" {
			text += fmt.Sprintf(" What was there before is in %s; remove that when it is not needed.", filepath.Join(dir, r.Before))
		}
		return p.print(cmd, result, text)
	}
	return cmd
}

// mayReplace asks whether a backup may replace the contents of the data directory, if it has a
// database. If nobody can be asked, it is an error that asks for --yes.
func (p *Program) mayReplace(ctx context.Context, dir, backup string) error {
	if _, err := os.Stat(filepath.Join(dir, upkeep.Database)); err != nil {
		return nil
	}
	if !isTerminal(p.Stdin) {
		return failedError{memory.Errorf(memory.CodeInvalidArgument, "there is a memory in %s, and restore replaces it", dir).
			WithHint("--yes says that you want that; it is kept in a directory beside")}
	}
	return p.agreed(ctx, visible(fmt.Sprintf("Replace everything in %s by %s? What is there now is kept in a directory beside.",
		dir, backup)))
}

// dailyBackups returns the background work of making a backup each day, if that is configured.
func (p *Program) dailyBackups(a *app) ([]func(context.Context), error) {
	into := p.settings.get("backup.dir")
	keep, err := p.settings.int("backup.keep")
	if into == "" || err != nil {
		return nil, err
	}
	if err := p.onlyFiles("backup.dir"); err != nil {
		return nil, err
	}
	daily := upkeep.Daily{
		Backup: p.backupOptions(a), Into: into, Keep: keep, Store: a.guard, IDs: a.ids, Holder: a.process.name(), Gone: a.process.gone,
		Busy: a.guard.Busy, Log: p.log,
	}
	return []func(context.Context){daily.Run}, nil
}
