package transcripts

import (
	"encoding/json"

	"mcp-memory/memory"
	"mcp-memory/transfer/jsonl"
)

// claudeLine is a line of a transcript of Claude Code.
type claudeLine struct {
	Type      string          `json:"type"`
	Message   json.RawMessage `json:"message"`
	UUID      jsonl.Name      `json:"uuid"`
	SessionID jsonl.Name      `json:"sessionId"`
	Cwd       string          `json:"cwd"`
	Timestamp jsonl.Moment    `json:"timestamp"`
	Sidechain bool            `json:"isSidechain"`
	Meta      bool            `json:"isMeta"`
	Summary   bool            `json:"isCompactSummary"`
	Shown     bool            `json:"isVisibleInTranscriptOnly"`
	Failure   bool            `json:"isApiErrorMessage"`
}

func (d *reading) claudeLine(line []byte) ([]memory.Turn, error) {
	var l claudeLine
	if err := jsonl.DecodeKnown(line, &l); err != nil {
		return nil, err
	}
	if l.Type != "user" && l.Type != "assistant" || l.Sidechain || l.Meta || l.Summary || l.Shown || l.Failure || len(l.Message) == 0 ||
		string(l.Message) == "null" {
		return nil, nil
	}
	var m plainMessage
	if err := jsonl.DecodeKnown(l.Message, &m); err != nil {
		return nil, err
	}
	d.begin(string(l.SessionID), l.Cwd)
	m.Type, m.ID, m.ExternalID, m.TS = "", "", l.UUID, l.Timestamp
	return d.turns(m)
}
