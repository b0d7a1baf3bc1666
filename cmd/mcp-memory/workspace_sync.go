package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/memory"
	"mcp-memory/workspace"
)

// watchPause is the interval at which a watched folder is checked.
const watchPause = time.Second

func (p *Program) workspaceSyncCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "sync DIR", Short: "Keep a folder and the files in the database the same, so that you can edit them",
		Args: usageArgs(cobra.ExactArgs(1)),
		Long: `Copies the files of the agent's workspace from the database to a folder, and what you edit there back, both ways. A file that
only one side has changed is copied; of one that both have changed lines are merged, and where both changed the same, yours stand
and NAME.conflict-TIME.md keeps the others. What your files replace in the database is kept below .sync/replaced in the folder.
With --watch it goes on until it is ended.`,
	}
	watch := cmd.Flags().Bool("watch", false, "go on, and look at both sides every second")
	accept := cmd.Flags().Bool("accept-removed", false,
		"remove files that vanished from the folder from the workspace, even if they are most of all; with --watch those that are gone at its start")
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a, err := p.open(cmd.Context())
		if err != nil {
			return err
		}
		defer a.close()
		return p.workspaceSync(cmd, a, args[0], *watch, *accept)
	}
	return cmd
}

func (p *Program) workspaceSync(cmd *cobra.Command, a *app, folder string, watch, accept bool) error {
	in := a.workspace(a.scope.Agent)
	if path := in.Path(); path != "" {
		return memory.Errorf(memory.CodeConflict, "the workspace is a folder already: %s", path).
			WithHint("edit its files there; sync is for files in a database")
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	for first := true; ; first = false {
		did, err := p.syncOnce(cmd.Context(), a, in, workspace.Folder(folder), accept && first)
		switch {
		case errors.Is(err, context.Canceled) && watch:
			return nil
		case err != nil && (!watch || first || memory.CodeOf(err) != memory.CodeUnavailable):
			return err
		case err != nil: // the database is unavailable for a while
			p.log.Warn("keep the folder and the workspace the same", "error", err)
		case first || did.Any():
			if err := p.print(cmd, did, syncText(did, folder)); err != nil {
				return err
			}
		}
		if !watch {
			return nil
		}
		select {
		case <-cmd.Context().Done():
			return nil
		case <-time.After(watchPause):
		}
	}
}

// syncOnce makes both sides equal, saves edits to the bank, and copies what that changed in the
// files, such as the ids of new lines, to the folder.
func (p *Program) syncOnce(ctx context.Context, a *app, in, folder workspace.Dir, accept bool) (did workspace.Synced, err error) {
	a.mirror.RefreshAll(ctx, a.scope.Agent)
	if err := in.Ensure(ctx); err != nil {
		return did, err
	}
	if did, err = workspace.Sync(ctx, in, folder, p.Clock(), accept); err != nil {
		return did, err
	}
	shared, err := workspace.SyncShared(ctx, in, folder, p.Clock(), accept)
	if err != nil {
		return did, err
	}
	did.Read, did.Written, did.Removed = append(did.Read, shared.Read...),
		append(did.Written, shared.Written...), append(did.Removed, shared.Removed...)
	did.Merged, did.Conflicts, did.Left = append(did.Merged, shared.Merged...),
		append(did.Conflicts, shared.Conflicts...), append(did.Left, shared.Left...)
	if !did.Changed() {
		return did, nil
	}
	a.mirror.RefreshAll(ctx, a.scope.Agent)
	after, err := workspace.Sync(ctx, in, folder, p.Clock(), accept)
	did.Conflicts = append(did.Conflicts, after.Conflicts...)
	return did, err
}

func syncText(did workspace.Synced, folder string) string {
	var lines []string
	for _, part := range []struct {
		what  string
		names []string
	}{
		{"from the database", did.Read}, {"to the database", did.Written},
		{"removed from the database", did.Removed}, {"merged", did.Merged},
		{"look at it and delete it, it keeps what there was no room for", did.Conflicts}, {"left alone", did.Left},
	} {
		for _, name := range part.names {
			lines = append(lines, fmt.Sprintf("%s: %s", part.what, visible(name)))
		}
	}
	if !did.Any() {
		lines = append(lines, folder+" and the database say the same.")
	}
	return strings.Join(lines, "\n")
}
