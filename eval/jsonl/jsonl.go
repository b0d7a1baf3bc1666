// Package jsonl reads the files of the measured sets: one JSON value a line,
// plain or packed with gzip.
package jsonl

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Each calls fn for the value of each line of a file, or of the file with .gz
// behind its name if there is no plain one. Empty lines do not count. An error
// says where it is; that of a missing file is [os.ErrNotExist].
func Each[T any](path string, fn func(T) error) error {
	r, err := open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	lines := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, readErr := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var value T
			err := json.Unmarshal(line, &value)
			if err == nil {
				err = fn(value)
			}
			if err != nil {
				return fmt.Errorf("%s, line %d: %w", filepath.Base(path), number, err)
			}
		}
		if readErr == io.EOF {
			return nil
		}
		if readErr != nil {
			return fmt.Errorf("read %s: %w", filepath.Base(path), readErr)
		}
	}
}

// All returns what [Each] would call with.
func All[T any](path string) (values []T, err error) {
	err = Each(path, func(value T) error {
		values = append(values, value)
		return nil
	})
	return values, err
}

func open(path string) (io.ReadCloser, error) {
	plain, err := os.Open(path)
	if err == nil {
		return plain, nil
	}
	packed, err := os.Open(path + ".gz")
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(packed)
	if err != nil {
		packed.Close()
		return nil, fmt.Errorf("read %s: %w", filepath.Base(path)+".gz", err)
	}
	return struct {
		io.Reader
		io.Closer
	}{r, packed}, nil
}

// Time is when something was said: with an offset, without one (then UTC), or
// a date. The zero time is an empty one.
type Time struct{ time.Time }

// UnmarshalJSON implements [json.Unmarshaler]. It refuses what is no time.
func (t *Time) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil || text == "" {
		return err
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			t.Time = at.UTC()
			return nil
		}
	}
	return fmt.Errorf("%q is not a time", text)
}
