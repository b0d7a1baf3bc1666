package sqlite

import (
	"errors"
	"fmt"

	"mcp-memory/memory"
)

// senseless marks the error of a row that SQLite has read and that makes no sense as what
// it should be: it is damaged.
func senseless(err error) error {
	if err == nil || resultCode(err) != 0 || errors.Is(err, memory.ErrDamaged) {
		return err
	}
	return fmt.Errorf("%w: %w", memory.ErrDamaged, err)
}
