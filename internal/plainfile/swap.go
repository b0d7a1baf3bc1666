package plainfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

const (
	maxSwaps = 100      // how often to try to put back what somebody keeps saving meanwhile
	maxSaved = 64 << 20 // bytes of the largest saved file that is recognised again
)

// How long to wait for somebody who has a file open for writing, and has perhaps already truncated
// it, and how often to look.
const (
	writing     = time.Second
	writingStep = 2 * time.Millisecond
)

// ErrChanging is the error for a file that somebody keeps saving while it is replaced.
var ErrChanging = errors.New("it keeps changing")

// Swap replaces the file `name`, which had the content old when it was read, by the file draft of
// the same folder, which has content. It exchanges the two, if the system can (can), and then
// checks what was replaced. If that is not old, somebody has saved meanwhile, and Swap puts it
// back. It waits for a save that is under way. So no save of a person is lost, however close it
// comes. If done, the draft is removed; else it stays. Names have slashes.
func Swap(root *os.Root, draft, name, old, content string) (can, done bool, err error) {
	can, err = exchange(root, draft, name)
	if !can || errors.Is(err, fs.ErrNotExist) { // somebody has removed the file
		return can, false, nil
	}
	if err != nil {
		return true, false, fmt.Errorf("replace %s: %w", name, err)
	}
	if Says(root, draft, old) {
		return true, true, root.Remove(draft)
	}
	in := content // what the file at name has
	// A save to name meanwhile ends up in the draft by the exchange, so it is put back in turn.
	for range maxSwaps {
		saved, _ := quiet(root, draft, maxSaved) // empty if it cannot be read whole
		if _, err := exchange(root, draft, name); err != nil {
			return true, false, fmt.Errorf("put %s back: %w", name, err)
		}
		if Says(root, draft, in) {
			return true, false, nil
		}
		in = string(saved)
	}
	return true, false, fmt.Errorf("%s: %w", name, ErrChanging)
}

// Says reports whether a file is regular, has exactly this text, and is not being written. It is
// false if the file cannot be read.
func Says(root *os.Root, name, text string) bool {
	got, err := quiet(root, name, int64(len(text)))
	return err == nil && string(got) == text
}

// quiet is [ReadIn] once nobody is writing the file any more, and returns [ErrChanging] if somebody
// goes on for too long.
func quiet(root *os.Root, name string, most int64) ([]byte, error) {
	for waited := time.Duration(0); beingWritten(root, name); waited += writingStep {
		if waited >= writing {
			return nil, ErrChanging
		}
		time.Sleep(writingStep)
	}
	return ReadIn(root, name, most)
}
