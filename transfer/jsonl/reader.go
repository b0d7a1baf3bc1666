// Package jsonl reads files with one JSON object a line, plain or compressed by gzip, in constant
// memory, however long a line is and even if the file is truncated. It also has types for values
// that programs write in several ways.
package jsonl

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"mcp-memory/memory"
)

// MaxLineBytes is the longest line that is read, in bytes.
const MaxLineBytes = 4 << 20

// Errors of a single line, after which the next one can be read.
var (
	ErrLongLine = fmt.Errorf("the line is longer than %d MiB", MaxLineBytes>>20)
	ErrEncoding = errors.New("the line is not valid UTF-8")
)

// Reader reads the lines of a file, plain or compressed by gzip. Blank lines and a byte order mark
// are skipped.
type Reader struct {
	r      *bufio.Reader
	raw    *countingReader
	number int    // number of the line that Next returned, from 1
	offset int64  // offset after that line, in bytes of the uncompressed text
	torn   bool   // that line does not end with a line feed
	text   []byte // buffer of that line, if it did not fit into r's
	peeked *peeked
}

// peeked is a line that Peek has read and Next will return.
type peeked struct {
	line []byte
	err  error
}

// NewReader returns a reader of a file. [memory.CodeInvalidArgument] if it begins like gzip but is
// not.
func NewReader(r io.Reader) (*Reader, error) {
	raw := &countingReader{r: r}
	l := &Reader{r: bufio.NewReaderSize(raw, 256<<10), raw: raw}
	if magic, _ := l.r.Peek(2); string(magic) == "\x1f\x8b" {
		unpacked, err := gzip.NewReader(l.r)
		if err != nil {
			return nil, l.explain(err)
		}
		l.r = bufio.NewReaderSize(unpacked, 256<<10)
	}
	if mark, _ := l.r.Peek(3); string(mark) == "\xef\xbb\xbf" {
		l.r.Discard(3)
		l.offset = 3
	}
	return l, nil
}

// Number returns the number of the line that Next returned, from 1.
func (l *Reader) Number() int { return l.number }

// Offset returns the offset after the line that Next returned, including its line feed, in bytes of
// the text. In a compressed file that is not an offset in the file.
func (l *Reader) Offset() int64 { return l.offset }

// Torn reports whether the line that Next returned ends without a line feed, as one that is still
// being written.
func (l *Reader) Torn() bool { return l.torn }

// RawBytes returns how many bytes of the file, compressed or not, were read. It may be ahead of the
// lines.
func (l *Reader) RawBytes() int64 { return l.raw.n }

// Start returns up to n bytes, at most 256 KiB, of the text that Next will read, without consuming
// them. It must not be called after Peek.
func (l *Reader) Start(n int) []byte {
	start, _ := l.r.Peek(n)
	return start
}

// Rest returns the unread text, for a file that turns out to be one value instead of lines.
func (l *Reader) Rest() io.Reader { return l.r }

// Peek returns what [Reader.Next] will return, or nil instead of an error.
func (l *Reader) Peek() []byte {
	line, err := l.Next()
	l.peeked = &peeked{line, err}
	return line
}

// Next returns a line, trimmed, which is valid until the next call. Errors: io.EOF; ErrLongLine and
// ErrEncoding for this line, after which the next one can be read; any other is an error of the
// file.
func (l *Reader) Next() ([]byte, error) {
	if p := l.peeked; p != nil {
		l.peeked = nil
		return p.line, p.err
	}
	for {
		text, err := l.read()
		if err != nil && err != io.EOF && err != ErrLongLine {
			return nil, l.explain(err)
		}
		if len(text) > 0 || err == nil || err == ErrLongLine {
			l.number++
		}
		text = bytes.TrimSpace(text)
		switch {
		case err == ErrLongLine:
			return nil, err
		case len(text) > 0 && !utf8.Valid(text):
			return nil, ErrEncoding
		case len(text) > 0:
			return text, nil // io.EOF is returned by the next call
		case err == io.EOF:
			return nil, io.EOF
		}
	}
}

// read returns the text up to the next line feed or the end of the file.
func (l *Reader) read() ([]byte, error) {
	l.text = l.text[:0]
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		l.offset += int64(len(part))
		if long = long || len(l.text)+len(part) > MaxLineBytes; !long {
			if len(l.text) == 0 && err != bufio.ErrBufferFull {
				l.torn = err != nil
				return part, err
			}
			l.text = append(l.text, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if l.torn = err != nil; long && (err == nil || err == io.EOF) {
			return nil, ErrLongLine
		}
		return l.text, err
	}
}

// explain returns the error of a file that cannot be read any further.
func (l *Reader) explain(err error) error {
	var corrupt flate.CorruptInputError
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) ||
		errors.As(err, &corrupt) {
		return memory.Errorf(memory.CodeInvalidArgument, "the compressed file is truncated or damaged after line %d", l.number).
			WithHint("check it with gzip -t").WithCause(err)
	}
	return memory.Errorf(memory.CodeUnavailable, "the file cannot be read after line %d", l.number).WithCause(err)
}

// countingReader counts the bytes read.
type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
