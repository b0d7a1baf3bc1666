package transfer

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

// MaxLineBytes is the longest line that is read.
const MaxLineBytes = 4 << 20

// errLongLine and errEncoding are the faults of a line as such.
var (
	errLongLine = fmt.Errorf("the line is longer than %d MiB", MaxLineBytes>>20)
	errEncoding = errors.New("the line is not valid UTF-8")
)

// lineReader reads the lines of a file, plain or compressed by gzip. Blank
// lines and a byte order mark are passed over.
type lineReader struct {
	r      *bufio.Reader
	raw    *countingReader
	number int    // of the line that next returned, from 1
	text   []byte // of that line
	peeked *peeked
}

// peeked is a line that was looked at and is still to be returned.
type peeked struct {
	line []byte
	err  error
}

func newLineReader(r io.Reader) (*lineReader, error) {
	raw := &countingReader{r: r}
	l := &lineReader{r: bufio.NewReaderSize(raw, 256<<10), raw: raw}
	if magic, _ := l.r.Peek(2); string(magic) == "\x1f\x8b" {
		unpacked, err := gzip.NewReader(l.r)
		if err != nil {
			return nil, l.explain(err)
		}
		l.r = bufio.NewReaderSize(unpacked, 256<<10)
	}
	if mark, _ := l.r.Peek(3); string(mark) == "\xef\xbb\xbf" {
		l.r.Discard(3)
	}
	return l, nil
}

// peek returns what next will return, or nil instead of an error.
func (l *lineReader) peek() []byte {
	line, err := l.next()
	l.peeked = &peeked{line, err}
	return line
}

// next returns a line without blanks around it, valid until the next call.
// Errors: io.EOF; errLongLine and errEncoding for this line, after which the
// next one can be read; anything else is the file's.
func (l *lineReader) next() ([]byte, error) {
	if p := l.peeked; p != nil {
		l.peeked = nil
		return p.line, p.err
	}
	for {
		text, err := l.read()
		if err != nil && err != io.EOF && err != errLongLine {
			return nil, l.explain(err)
		}
		if len(text) > 0 || err == nil || err == errLongLine {
			l.number++
		}
		text = bytes.TrimSpace(text)
		switch {
		case err == errLongLine:
			return nil, err
		case len(text) > 0 && !utf8.Valid(text):
			return nil, errEncoding
		case len(text) > 0:
			return text, nil // io.EOF comes again
		case err == io.EOF:
			return nil, io.EOF
		}
	}
}

// read returns the text up to the next line feed or the end of the file.
func (l *lineReader) read() ([]byte, error) {
	l.text = l.text[:0]
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		if long = long || len(l.text)+len(part) > MaxLineBytes; !long {
			l.text = append(l.text, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if long && (err == nil || err == io.EOF) {
			return nil, errLongLine
		}
		return l.text, err
	}
}

// explain says what is wrong with a file that cannot be read on.
func (l *lineReader) explain(err error) error {
	var corrupt flate.CorruptInputError
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt) {
		return memory.Errorf(memory.CodeInvalidArgument, "the compressed file is truncated or damaged after line %d", l.number).
			WithHint("check it with gzip -t").WithCause(err)
	}
	return memory.Errorf(memory.CodeUnavailable, "the file cannot be read after line %d", l.number).WithCause(err)
}

// countingReader counts the bytes that were read of a file.
type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
