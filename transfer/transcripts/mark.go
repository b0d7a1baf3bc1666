package transcripts

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"maps"

	"mcp-memory/memory"
)

// Mark says where the reading of a file stopped, and identifies the file. The zero Mark is the
// start of any file. It is small and can be stored as JSON.
type Mark struct {
	Offset int64  `json:"offset"`         // offset after the last whole line that was read
	Head   string `json:"head,omitempty"` // hash of the file's first bytes
	Tail   string `json:"tail,omitempty"` // hash of the bytes before Offset
	State  state  `json:"state"`
}

// How many bytes of a file its mark has hashes of.
const (
	headBytes = 4 << 10
	tailBytes = 1 << 10
)

// Resume reads what a file has after a mark, as [Read] does. If the file was truncated, rotated or
// replaced since, it is read from its start; turns that are the same keep their external ids. Only
// whole lines are read. Report.Mark is where the next Resume continues. A compressed file is read
// from its start each time.
func Resume(f io.ReadSeeker, m Mark, o Options, fn func(Turn) error) (Report, error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return Report{}, cannotRead(err)
	}
	if known, err := m.fits(f, size); err != nil {
		return Report{}, cannotRead(err)
	} else if !known {
		m = Mark{}
	}
	if _, err := f.Seek(m.Offset, io.SeekStart); err != nil {
		return Report{}, cannotRead(err)
	}
	if m.Offset == 0 {
		m.State = state{}
	}
	report, err := read(f, o, m, fn)
	if err != nil {
		return report, err
	}
	if compressed, err := startsWithGzip(f); err != nil {
		return report, cannotRead(err)
	} else if compressed {
		report.Mark = Mark{}
		return report, nil
	}
	if report.Mark.Head, report.Mark.Tail, err = hashes(f, report.Mark.Offset); err != nil {
		return report, cannotRead(err)
	}
	return report, nil
}

func cannotRead(err error) error {
	return memory.Errorf(memory.CodeUnavailable, "the transcript cannot be read").WithCause(err)
}

// fits reports whether the mark was made of this file, whose size is given.
func (m Mark) fits(f io.ReadSeeker, size int64) (bool, error) {
	if m.Offset < 0 || m.Offset > size {
		return false, nil
	}
	head, tail, err := hashes(f, m.Offset)
	return err == nil && head == m.Head && tail == m.Tail, err
}

// hashes returns the hashes of a file's first bytes and of the bytes before an offset.
func hashes(f io.ReadSeeker, offset int64) (head, tail string, err error) {
	if head, err = hashOf(f, 0, min(offset, headBytes)); err != nil {
		return "", "", err
	}
	size := min(offset, tailBytes)
	tail, err = hashOf(f, offset-size, size)
	return head, tail, err
}

// hashOf returns the hash of up to size bytes at an offset. Missing bytes change the hash.
func hashOf(f io.ReadSeeker, offset, size int64) (string, error) {
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return "", err
	}
	h := sha256.New()
	if _, err := io.CopyN(h, f, size); err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

func startsWithGzip(f io.ReadSeeker) (bool, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	var magic [2]byte
	n, err := io.ReadFull(f, magic[:])
	if n < len(magic) && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)) {
		err = nil
	}
	return string(magic[:n]) == "\x1f\x8b", err
}

// clone returns a state that can be changed without changing s.
func (s state) clone() state {
	s.Calls = maps.Clone(s.Calls)
	return s
}
