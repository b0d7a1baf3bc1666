package transcripts

import (
	"encoding/json"
	"errors"
	"io"

	"mcp-memory/memory"
	"mcp-memory/transfer/jsonl"
)

// maxMessage is the largest message in a file that is one JSON object, in bytes.
const maxMessage = 16 << 20

// errLongMessage ends the reading of such a file: the next message cannot be found without reading
// this one.
var errLongMessage = errors.New("a message is longer than 16 MiB")

// session reads a file that is one JSON object, message by message. The host rewrites the whole
// file each time and earlier messages may have grown, so it is always read from its start.
type session struct {
	*reading
	in   *json.Decoder
	from *limited
}

// readWhole reads a session that is one JSON object. If the file is truncated, the messages before
// that are reported.
func (d *reading) readWhole(r io.Reader) error {
	d.state.Format = Gemini
	from := &limited{r: r, left: maxMessage}
	s := session{d, json.NewDecoder(from), from}
	err := s.object()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		d.report.Torn = true
		return nil
	}
	if err != nil {
		return d.broken(err)
	}
	return nil
}

// object reads the members of the session.
func (s session) object() error {
	if _, err := s.in.Token(); err != nil {
		return err
	}
	for s.in.More() {
		key, err := s.in.Token()
		if err != nil {
			return err
		}
		if key == "messages" {
			if err := s.messages(); err != nil {
				return err
			}
			continue
		}
		value, err := s.value()
		if err != nil {
			return err
		}
		if name, _ := key.(string); name == "sessionId" || name == "kind" || name == "directories" {
			s.head(name, value)
		}
	}
	_, err := s.in.Token()
	return err
}

// head takes a member that describes the session.
func (s session) head(name string, value json.RawMessage) {
	var l geminiLine
	member, err := json.Marshal(map[string]json.RawMessage{name: value})
	if err == nil && json.Unmarshal(member, &l) == nil {
		s.geminiHead(l)
	}
}

// messages reads the list of messages.
func (s session) messages() error {
	start, err := s.in.Token()
	if err != nil {
		return err
	}
	if start != json.Delim('[') {
		return errors.New("messages is not a list")
	}
	for s.in.More() {
		value, err := s.value()
		if err != nil {
			return err
		}
		var m geminiMessage
		if err = jsonl.Decode(value, &m); err == nil {
			err = s.take(s.geminiTurns(m))
		}
		if err != nil {
			if err := s.broken(err); err != nil {
				return failed{err}
			}
		}
	}
	_, err = s.in.Token()
	return err
}

// value returns the next JSON value undecoded.
func (s session) value() (value json.RawMessage, err error) {
	s.from.left = maxMessage
	err = s.in.Decode(&value)
	return value, err
}

// limited fails once more than left bytes are read.
type limited struct {
	r    io.Reader
	left int
}

// Read implements [io.Reader].
func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, memory.Errorf(memory.CodeTooLarge, "%v", errLongMessage)
	}
	n, err := l.r.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}
