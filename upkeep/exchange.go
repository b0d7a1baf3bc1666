package upkeep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"mcp-memory/memory"
)

// noteName is the file that says that an exchange is under way.
const noteName = "exchange.json"

// note says in which directory the new state is and to which the old one goes. Both are names in
// the data directory.
type note struct {
	New   string   `json:"new"`
	Old   string   `json:"old"`
	Items []string `json:"items"` // names of what is exchanged, with the database among them
}

// interrupted reports whether there is an exchange to be finished.
func interrupted(path string) bool {
	_, err := os.Lstat(filepath.Join(path, noteName))
	return err == nil
}

// Exchange replaces the given items of the data directory by those of the directory fresh, which is
// inside the data directory. It returns the name of the new directory to which the old items were
// moved. The caller holds the lock alone. On an error, such as [memory.CodeUnavailable] if there is
// no room, nothing has changed unless the note was written.
func (d *Dir) Exchange(fresh string, why string, items ...string) (old string, err error) {
	n := note{New: filepath.Base(fresh), Old: fmt.Sprintf("before-%s-%s", why, time.Now().UTC().Format(stamp+".000000")), Items: items}
	text, err := json.Marshal(n)
	if err != nil {
		return "", err
	}
	if err := announce(d.path, fresh, n, text); err != nil {
		return "", cannotWrite(d.path, err)
	}
	return n.Old, exchange(d.path)
}

// announce syncs the new state and then writes the note durably. If it fails before the note
// exists, the old state still counts.
func announce(path, fresh string, n note, text []byte) error {
	old := filepath.Join(path, n.Old)
	if err := os.Mkdir(old, dirPerm); err != nil {
		return err
	}
	err := syncTree(fresh)
	if err == nil {
		err = writeFile(filepath.Join(path, noteName), text)
	}
	if err != nil && !interrupted(path) {
		err = errors.Join(err, os.Remove(old))
	}
	return err
}

// exchange does what the note says, and continues an interrupted exchange.
func exchange(path string) error {
	text, err := os.ReadFile(filepath.Join(path, noteName))
	if err != nil {
		return err
	}
	var n note
	if err := json.Unmarshal(text, &n); err != nil || !local(n.New) || !local(n.Old) {
		return memory.Errorf(memory.CodeUnavailable, "%s cannot be understood", noteName).WithCause(err).
			WithHint("it was not written by this program; move it away")
	}
	for _, item := range n.Items {
		if !local(item) {
			return memory.Errorf(memory.CodeUnavailable, "%s names %q", noteName, item).
				WithHint("it was not written by this program; move it away")
		}
		if err := exchangeItem(path, n, item); err != nil {
			return err
		}
	}
	if err := syncDir(path); err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(path, n.New)); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(path, noteName)); err != nil {
		return err
	}
	return syncDir(path)
}

// exchangeItem moves one item. If the new directory does not have it, nothing is done: it was moved
// before, or the new state has no such item, and the old one stays.
func exchangeItem(path string, n note, item string) error {
	fresh := filepath.Join(path, n.New, item)
	if _, err := os.Lstat(fresh); err != nil {
		return absent(err)
	}
	names := []string{item}
	if item == Database {
		names = []string{item + "-wal", item + "-shm", item} // the old log must be gone before the new database is there
	}
	for _, name := range names {
		err := os.Rename(filepath.Join(path, name), filepath.Join(path, n.Old, name))
		if absent(err) != nil {
			return err
		}
	}
	return os.Rename(fresh, filepath.Join(path, item))
}

// absent returns err, or nil if it says that a file does not exist.
func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// local reports whether a name is that of an entry of the directory itself.
func local(name string) bool {
	return filepath.IsLocal(name) && filepath.Base(name) == name && name != "."
}

// writeFile writes a file atomically and durably.
func writeFile(name string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncDir(filepath.Dir(name))
}

// syncTree syncs a directory and everything in it to the disk.
func syncTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			return syncDir(path)
		case !e.Type().IsRegular():
			return nil
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}

// syncDir syncs the entries of a directory to the disk, where the system can do that.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = f.Sync() // fails on Windows
	return f.Close()
}
