package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"mcp-memory/memory"
	"mcp-memory/upkeep"
	"mcp-memory/web"
)

// pageMachine gives the page access to this machine: checks, settings and backups.
type pageMachine struct {
	program *Program
	app     *app
}

var _ web.Machine = pageMachine{}

// Examine implements [web.Machine].
func (m pageMachine) Examine(ctx context.Context) []memory.Finding {
	return m.program.examine(ctx, nil)
}

// Settings implements [web.Machine].
func (m pageMachine) Settings() (list []web.Setting) {
	for _, s := range knownSettings {
		value, from := m.program.settingShown(s)
		list = append(list, web.Setting{Key: s.key, Value: value, From: from, Help: s.help})
	}
	return list
}

// Backups implements [web.Machine].
func (m pageMachine) Backups() (dir string, newest time.Time, err error) {
	dir = m.program.settings.get("backup.dir")
	if dir == "" || m.program.onServer() {
		return "", newest, nil
	}
	newest, err = upkeep.LastBackup(dir)
	return dir, newest, err
}

// Backup implements [web.Machine].
func (m pageMachine) Backup(ctx context.Context) (string, error) {
	dir, _, err := m.Backups()
	if err != nil {
		return "", err
	}
	if dir == "" {
		return "", memory.Errorf(memory.CodeInvalidArgument, "there is nowhere to put a backup").
			WithHint("the setting backup.dir says where to")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", memory.Errorf(memory.CodeUnavailable, "the directory %s cannot be made", dir).
			WithHint("the setting backup.dir names another").WithCause(err)
	}
	name := filepath.Join(dir, upkeep.BackupName(m.program.Clock()))
	_, err = upkeep.Backup(ctx, name, m.program.backupOptions(m.app))
	return name, err
}
