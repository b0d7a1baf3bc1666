package upkeep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// CheckDirectory checks the permissions of a data directory, and whether restores or repairs were
// interrupted or have left former states there.
func CheckDirectory(path string) []memory.Finding {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []memory.Finding{{Check: "directory", Condition: memory.ConditionBroken, Detail: path + " does not exist",
			Advice: "it is made by the first save; --data-dir names another"}}
	case err != nil:
		return []memory.Finding{{Check: "directory", Condition: memory.ConditionBroken, Detail: path + " cannot be looked at",
			Advice: "check the permissions of the directories above it; --data-dir names another"}}
	}
	f := memory.Finding{Check: "directory", Condition: memory.ConditionOK, Detail: path}
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
		f = memory.Finding{Check: "directory", Condition: memory.ConditionWarning,
			Detail: fmt.Sprintf("%s is %04o: others may look into it", path, mode), Advice: "chmod 700"}
	}
	findings := []memory.Finding{f}
	if interrupted(path) {
		findings = append(findings,
			memory.Finding{Check: "exchange", Condition: memory.ConditionWarning, Detail: "a restore or repair was interrupted",
				Advice: "the next command that opens the memory finishes it"})
	}
	if left := leftBehind(path); len(left) > 0 {
		findings = append(findings, memory.Finding{
			Check: "former state", Condition: memory.ConditionWarning,
			Detail: strings.Join(left, ", ") + ": kept by a restore, repair or update",
			Advice: "remove it when you do not need it; what is forgotten for good since is still in there",
		})
	}
	return findings
}

// leftBehind returns the names of the copies of former states.
func leftBehind(path string) []string {
	var left []string
	for _, pattern := range []string{"before-*", Database + "-wal.lost-*", Database + ".before-schema-*"} {
		found, _ := filepath.Glob(filepath.Join(path, pattern)) // the pattern is valid
		for _, name := range found {
			left = append(left, filepath.Base(name))
		}
	}
	return left
}

// CheckWorkspaces compares the workspaces with the owners of banks. A workspace without a bank
// may mean that memories are lost.
func CheckWorkspaces(path string, owners []string) memory.Finding {
	entries, err := os.ReadDir(filepath.Join(path, Workspaces))
	if absent(err) != nil {
		return memory.Finding{Check: "workspaces", Condition: memory.ConditionBroken, Detail: "they cannot be read",
			Advice: "check the permissions of " + filepath.Join(path, Workspaces)}
	}
	var strays []string
	for _, e := range entries {
		if e.IsDir() && !slices.Contains(owners, e.Name()) {
			strays = append(strays, e.Name())
		}
	}
	if len(strays) > 0 {
		return memory.Finding{
			Check: "workspaces", Condition: memory.ConditionWarning, Detail: "the database has no bank for " + strings.Join(strays, ", "),
			Advice: "restore a backup if their memories are missed, else remove the workspaces",
		}
	}
	return memory.Finding{Check: "workspaces", Condition: memory.ConditionOK,
		Detail: fmt.Sprintf("folders of %d agents, and banks of %d", len(entries), len(owners))}
}
