package transfer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"mcp-memory/transfer/jsonl"
)

// sessionHeader is the first line of a conversation's file. The turns follow as lines of a bundle.
type sessionHeader struct {
	Type     string `json:"type"`
	Session  string `json:"session"`
	Checksum string `json:"checksum"` // of the lines that follow, without carriage returns
}

func sessionText(session, lines string) (string, error) {
	header, err := lineJSON(sessionHeader{typeSession, session, sessionChecksum(lines)})
	return string(header) + "\n" + lines, err
}

func sessionChecksum(lines string) string {
	sum := sha256.Sum256([]byte(strings.ReplaceAll(lines, "\r", "")))
	return "sha256-" + hex.EncodeToString(sum[:10])
}

func sessionOwner(content []byte) owner {
	first, rest, _ := bytes.Cut(content, []byte("\n"))
	var h sessionHeader
	switch {
	case jsonl.Decode(first, &h) != nil || h.Type != typeSession:
		return stranger
	case h.Checksum != sessionChecksum(string(rest)):
		return edited
	}
	return ours
}
