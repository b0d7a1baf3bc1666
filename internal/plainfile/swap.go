package plainfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// maxSwaps is how often a file is put back that somebody keeps saving meanwhile.
const maxSwaps = 100

// ErrChanging is a file that somebody keeps saving while it is exchanged.
var ErrChanging = errors.New("it keeps changing")

// Swap puts a draft that says content in the place of a file of the same folder, where the
// system can exchange the two (can): then what was there is in hand, and goes back if it is not old,
// what was read. So no save of a person is lost, however close it comes. The draft is gone when it
// is done, and else there as before. Names have slashes.
func Swap(root *os.Root, draft, name, old, content string) (can, done bool, err error) {
	can, err = exchange(root, draft, name)
	if !can || errors.Is(err, fs.ErrNotExist) { // somebody takes it away
		return can, false, nil
	}
	if err != nil {
		return true, false, fmt.Errorf("replace %s: %w", name, err)
	}
	if says(root, draft, old) {
		return true, true, root.Remove(draft)
	}
	for range maxSwaps { // what somebody saved meanwhile comes out by the exchange back, and goes in again
		if _, err := exchange(root, draft, name); err != nil {
			return true, false, fmt.Errorf("put %s back: %w", name, err)
		}
		if says(root, draft, content) {
			return true, false, nil
		}
	}
	return true, false, fmt.Errorf("%s: %w", name, ErrChanging)
}

// says reports whether a file is plain and says just that. What cannot be read is
// something else.
func says(root *os.Root, name, text string) bool {
	got, err := ReadIn(root, name, int64(len(text)))
	return err == nil && string(got) == text
}
