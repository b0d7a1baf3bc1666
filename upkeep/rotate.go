package upkeep

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Names of backups contain their time, so that they sort by it.
const (
	backupPrefix = "mcp-memory-"
	backupSuffix = ".tar.gz"
)

// BackupName returns the file name of a backup made at that time.
func BackupName(now time.Time) string { return backupPrefix + now.UTC().Format(stamp) + backupSuffix }

// backupsIn returns the names of the backups in a directory, oldest first. Other files are ignored.
func backupsIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		if _, ok := madeAt(e.Name()); ok && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, err
}

func madeAt(name string) (time.Time, bool) {
	middle, ok := strings.CutPrefix(name, backupPrefix)
	middle, ok2 := strings.CutSuffix(middle, backupSuffix)
	at, err := time.Parse(stamp, middle)
	return at, ok && ok2 && err == nil
}

// LastBackup returns when the newest backup in a directory was made, zero for none.
func LastBackup(dir string) (time.Time, error) {
	names, err := backupsIn(dir)
	if err != nil || len(names) == 0 {
		return time.Time{}, absent(err)
	}
	at, _ := madeAt(names[len(names)-1])
	return at, nil
}

// Rotate removes all but the newest keep backups in a directory, and returns the names of those
// removed. Other files stay.
func Rotate(dir string, keep int) (removed []string, err error) {
	names, err := backupsIn(dir)
	for _, name := range names[:max(0, len(names)-keep)] {
		if failed := os.Remove(filepath.Join(dir, name)); failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		removed = append(removed, name)
	}
	return removed, err
}
