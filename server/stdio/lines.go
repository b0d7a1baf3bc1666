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

// headBytes and tailBytes are how much of the two ends of a line is kept that is too long, to find
// the id of its request in them.
const (
	headBytes = 1 << 10
	tailBytes = 256
)

// lines reads messages, one from each line. It never keeps more than limit bytes of a line.
type lines struct {
	r     *bufio.Reader
	limit int
}

func newLines(r io.Reader, limit int) *lines {
	return &lines{bufio.NewReaderSize(r, 64<<10), limit}
}

// line is one line without its end. If it is longer than the limit (over), data and tail are only
// its first and last bytes.
type line struct {
	data []byte
	over bool
	tail []byte
}

// next returns the next line that is not blank. A last line without a newline counts as complete.
// At the end of input the error is [io.EOF].
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

// add appends a piece of the line. If the line gets too long, it keeps only the two ends.
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

// lastID matches an id among the last keys of a message. An id in a nested object does not match,
// because more than one brace follows it.
var lastID = regexp.MustCompile(`[,{]\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`)

// id returns the request id of a line that was too long. It finds an id before the first value that
// does not fit into the kept beginning, or at the very end of the message, where SDKs write it. It
// returns nil for any other.
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
				break // a value that is cut off
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
