package stdio

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"

	"mcp-memory/server/jsonrpc"
)

// headBytes and tailBytes are what is kept of a line that is too long, to find
// the id that its answer belongs to.
const (
	headBytes = 1 << 10
	tailBytes = 256
)

// lines reads messages, one a line, without ever keeping more than limit bytes
// of one.
type lines struct {
	r     *bufio.Reader
	limit int
}

func newLines(r io.Reader, limit int) *lines {
	return &lines{bufio.NewReaderSize(r, 64<<10), limit}
}

// line is one line without its end. If it was over the limit, data and tail
// are its two ends only.
type line struct {
	data []byte
	over bool
	tail []byte
}

// next returns the next line that is not blank. A last line that ends with the
// input counts as whole; then the error is [io.EOF].
func (l *lines) next() (line, error) {
	for {
		ln, err := l.read()
		if err != nil {
			return line{}, err
		}
		ln.data = jsonrpc.Trim(ln.data)
		if len(ln.data) > 0 {
			return ln, nil
		}
	}
}

func (l *lines) read() (line, error) {
	var ln line
	for {
		chunk, err := l.r.ReadSlice('\n')
		ln.add(chunk, l.limit)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err == nil, errors.Is(err, io.EOF) && len(ln.data) > 0:
			return ln, nil
		default:
			return line{}, err
		}
	}
}

// add appends a piece of the line, or if it gets too long, keeps its two ends.
func (ln *line) add(chunk []byte, limit int) {
	if !ln.over && len(ln.data)+len(bytes.TrimRight(chunk, "\r\n")) <= limit {
		ln.data = append(ln.data, chunk...)
		return
	}
	if !ln.over {
		ln.over = true
		whole := append(ln.data, chunk[:min(len(chunk), headBytes)]...)
		ln.tail = append([]byte(nil), whole[max(0, len(ln.data)-tailBytes):len(ln.data)]...)
		ln.data = append([]byte(nil), whole[:min(len(whole), headBytes)]...)
	}
	ln.tail = append(ln.tail, chunk[max(0, len(chunk)-tailBytes):]...)
	ln.tail = append([]byte(nil), ln.tail[max(0, len(ln.tail)-tailBytes):]...)
}

// lastID finds an id among the last keys of a message. One that is nested is
// followed by more than one brace.
var lastID = regexp.MustCompile(`[,{]\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`)

// id returns the request id of a line that was too long, where it stands
// before the first nested value or at the very end, as the SDKs write it, and
// else null.
func (ln line) id() json.RawMessage {
	decoder := json.NewDecoder(bytes.NewReader(ln.data))
	if open, err := decoder.Token(); err == nil && open == json.Delim('{') {
		for {
			key, err := decoder.Token()
			if _, isKey := key.(string); err != nil || !isKey {
				break
			}
			var value json.RawMessage
			if decoder.Decode(&value) != nil {
				break // nested and cut off
			}
			if key == "id" && jsonrpc.ValidID(value) {
				return value
			}
		}
	}
	if m := lastID.FindSubmatch(ln.tail); m != nil {
		return m[1]
	}
	return nil
}
