package upkeep

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// What a backup left that was killed goes with the next one; one that is being made stays, however old it is.
func TestSweepBackups(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-30 * time.Hour)
	for name, c := range map[string]struct{ lock, old bool }{"killed": {true, false}, "running": {true, true}, "young": {false, false},
		"neither": {false, true}} {
		stage := filepath.Join(dir, backupStage+name)
		if err := os.Mkdir(stage, 0o700); err != nil {
			t.Fatal(err)
		}
		if c.lock {
			if err := os.WriteFile(filepath.Join(stage, stageLock), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if c.old {
			if err := os.Chtimes(stage, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	running := flock.New(filepath.Join(dir, backupStage+"running", stageLock))
	if ok, err := running.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	defer running.Close()
	sweepBackups(dir)
	left, err := filepath.Glob(filepath.Join(dir, backupStage+"*"))
	if want := []string{filepath.Join(dir, backupStage+"running"), filepath.Join(dir, backupStage+"young")}; err != nil ||
		!slices.Equal(left, want) {
		t.Errorf("left %v, want %v, %v", left, want, err)
	}
}
