package sqlite

import (
	"errors"
	"fmt"

	"mcp-memory/memory"
)

// senseless marks the error of scanning a row as [memory.ErrDamaged], unless it is SQLite's own: if
// SQLite could read a row but its values do not fit the columns, the row is damaged.
func senseless(err error) error {
	if err == nil || resultCode(err) != 0 || errors.Is(err, memory.ErrDamaged) {
		return err
	}
	return fmt.Errorf("%w: %w", memory.ErrDamaged, err)
}
