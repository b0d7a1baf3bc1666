package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"mcp-memory/db"
	"mcp-memory/db/postgres"
	"mcp-memory/memory"
	"mcp-memory/transfer/moving"
	"mcp-memory/upkeep"
)

func (p *Program) copyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "copy --from URL --to URL", Short: "Carry banks from one database to another, such as from the file to a PostgreSQL server",
		Args: usageArgs(cobra.NoArgs),
		Long: `Copies all banks, or that of --agent, with everything that is in them and under the same ids: memories with all versions,
conversations, plans, links, jobs, the audit log and tokens. Vectors are made anew where the copy is. A URL is postgres://…,
sqlite:PATH, the path of a file, or a data directory. The files of workspaces go along, where both sides have a place for them
that is known: a data directory, or a server; config.yaml stays.

The source is read as it is at one moment, and changed in nothing; servers may go on with it. Nobody may use the copy before
it is compared. A copy that was ended goes on when it is run again, and a copy that nobody has used since is brought up to
date. Refused are a bank that has something else on the other side, and a source with rows that are not what was saved.`,
	}
	from := cmd.Flags().String("from", "", "the database to read")
	to := cmd.Flags().String("to", "", "the database to write to")
	skip := cmd.Flags().Bool("skip-bad", false, "leave out rows that are not what was saved, and count them")
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *from == "" || *to == "" {
			return usageError{errors.New("copy needs --from URL and --to URL")}
		}
		o := moving.Options{SkipBad: *skip}
		if cmd.Flags().Changed("agent") {
			scope, err := p.ownScope()
			if err != nil {
				return err
			}
			o.Agents = []string{scope.Agent}
		}
		return p.copy(cmd, *from, *to, o)
	}
	return cmd
}

// databaseAt returns the database that a command line names: a URL as it is, the path of a file, or
// for a data directory the path of the database file in it.
func databaseAt(name string) string {
	path := strings.TrimPrefix(name, "sqlite:")
	if db.IsServer(name) || strings.Contains(path, "://") {
		return name
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() || err != nil && filepath.Ext(path) != filepath.Ext(databaseName) {
		return filepath.Join(path, databaseName)
	}
	return path
}

func (p *Program) copy(cmd *cobra.Command, source, target string, o moving.Options) (err error) {
	ctx := cmd.Context()
	source, target = databaseAt(source), databaseAt(target)
	from, err := p.copyFrom(ctx, source)
	if err != nil {
		return sideError("--from", err)
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	dir, err := p.enterBeside(ctx, target)
	if err != nil {
		return sideError("--to", err)
	}
	defer func() { err = errors.Join(err, dir.Leave()) }()
	embedder, err := p.newEmbedder()
	if err != nil {
		return err
	}
	citus, err := p.settings.oneOf("database.citus", "auto", "on", "off")
	if err != nil {
		return err
	}
	to, err := db.OpenToMove(ctx, target,
		db.Options{Embedder: embedder.Fingerprint(), Clock: p.Clock, Bulk: true, Log: p.log, Citus: citus})
	if err != nil {
		return sideError("--to", err)
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	o.From, o.To = from, to
	bar := p.countBar()
	o.Progress = func(phase moving.Phase, done, total int) {
		bar.Describe(string(phase))
		if total > 0 {
			bar.ChangeMax(total)
		}
		bar.Set(done)
	}
	report, err := moving.Copy(ctx, o)
	bar.Exit()
	for _, bad := range report.Bad {
		fmt.Fprintf(p.Stderr, "damaged: %s\n", visible(bad))
	}
	if err != nil {
		return err
	}
	cluster, err := db.ClusterOf(ctx, to)
	if err != nil {
		return sideError("--to", err)
	}
	files, wrong := p.copyFiles(ctx, source, target, from, to, o.Agents)
	err = p.printCopy(cmd, report, files, cluster, shownURL(target)) // the banks are copied, even if the files are not
	return errors.Join(wrong, err)
}

// copyFrom opens the source, which has to exist.
func (p *Program) copyFrom(ctx context.Context, source string) (db.Moving, error) {
	if !db.IsServer(source) {
		if _, err := os.Stat(source); err != nil {
			return nil, memory.Errorf(memory.CodeNotFound, "there is no memory in %s", source).
				WithHint("a data directory, or the file in it")
		}
	}
	return db.OpenToMoveFrom(ctx, source, db.Options{Clock: p.Clock, Log: p.log})
}

// enterBeside enters the data directory of a database file that is to be written. It returns nil if
// the file is in none.
func (p *Program) enterBeside(ctx context.Context, target string) (*upkeep.Dir, error) {
	if db.IsServer(target) || filepath.Base(target) != databaseName {
		return nil, nil
	}
	if err := makeDataDir(filepath.Dir(target)); err != nil {
		return nil, err
	}
	return upkeep.Enter(ctx, filepath.Dir(target), p.create)
}

// sideError adds to an error which of the two databases it is about.
func sideError(side string, err error) error {
	var known *memory.Error
	if errors.As(err, &known) {
		said := *known
		said.Message = side + ": " + said.Message
		return &said
	}
	return fmt.Errorf("%s: %w", side, err)
}

func (p *Program) printCopy(cmd *cobra.Command, r moving.Report, files *copiedFiles, cluster *postgres.Cluster, target string) error {
	result := struct {
		moving.Report
		Files   *copiedFiles      `json:"files,omitempty"`
		Cluster *postgres.Cluster `json:"cluster,omitempty"`
	}{r, files, cluster}
	text := fmt.Sprintf("Copied %s to %s: %s, %s and all that belongs to them; both sides come to %s.",
		counted(r.Copied, "bank", "banks"), target,
		counted(r.Rows["records"], "memory", "memories"), counted(r.Rows["turns"], "message", "messages"), r.SumTo)
	if r.Copied == 0 {
		text = fmt.Sprintf("There is nothing to copy to %s: both sides come to %s.", target, r.SumTo)
	}
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{r.Already, "bank was there already", "banks were there already"},
		{r.Resumed, "bank went on where an earlier copy had ended", "banks went on where an earlier copy had ended"},
		{r.Replaced, "earlier copy was brought up to date", "earlier copies were brought up to date"},
		{r.Skipped, "damaged row was left out", "damaged rows were left out"},
	} {
		if part.n > 0 {
			text += " " + counted(part.n, part.one, part.many) + "."
		}
	}
	if n := len(r.Changed); n > 0 {
		text += fmt.Sprintf("\nMeanwhile something was saved in %s of the source, which is not in the copy: run it again when nobody uses either.", counted(n, "bank", "banks"))
	}
	if cluster != nil {
		text += "\n" + cluster.String() + "."
	}
	return p.print(cmd, result, text+files.text())
}
