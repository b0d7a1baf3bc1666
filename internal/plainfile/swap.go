package plainfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

const (
	maxSwaps = 100      // how often a file is put back that somebody keeps saving meanwhile
	maxSaved = 64 << 20 // bytes of what somebody saves
)

// Somebody who has a file open for writing, and has perhaps emptied it already, gets so long to say
// what it is to say.
const (
	writing     = time.Second
	writingStep = 2 * time.Millisecond
)

// ErrChanging is a file that somebody keeps saving while it is exchanged.
var ErrChanging = errors.New("it keeps changing")

// Swap puts a draft that says content in the place of a file of the same folder, where the
// system can exchange the two (can): then what was there is in hand, and goes back if it is not old,
// what was read. Who is in the middle of writing it is waited for. So no save of a person is lost,
// however close it comes. The draft is gone when it is done, and else there as before. Names have slashes.
func Swap(root *os.Root, draft, name, old, content string) (can, done bool, err error) {
	can, err = exchange(root, draft, name)
	if !can || errors.Is(err, fs.ErrNotExist) { // somebody takes it away
		return can, false, nil
	}
	if err != nil {
		return true, false, fmt.Errorf("replace %s: %w", name, err)
	}
	if Says(root, draft, old) {
		return true, true, root.Remove(draft)
	}
	in := content        // what has the name
	for range maxSwaps { // what somebody saved there meanwhile comes out by the exchange back, and goes in again
		saved, _ := quiet(root, draft, maxSaved) // nothing of what is no file
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

// Says reports whether a file is plain and says just that, and nobody is writing it. What cannot be
// read is something else.
func Says(root *os.Root, name, text string) bool {
	got, err := quiet(root, name, int64(len(text)))
	return err == nil && string(got) == text
}

// quiet is [ReadIn] of a file when nobody is writing it any more, and [ErrChanging] if somebody goes on.
func quiet(root *os.Root, name string, most int64) ([]byte, error) {
	for waited := time.Duration(0); beingWritten(root, name); waited += writingStep {
		if waited >= writing {
			return nil, ErrChanging
		}
		time.Sleep(writingStep)
	}
	return ReadIn(root, name, most)
}
