package transfer

import (
	"encoding/json"
	"time"

	"mcp-memory/memory"
)

// The values of "type" in a bundle's lines. The header comes first, the footer last.
const (
	typeHeader = "bundle"
	typeRecord = "record"
	typeAlias  = "alias"
	typeTurn   = "turn"
	typeTodo   = "todo"
	typeEvent  = "event"
	typeAction = "action"
	typeFooter = "footer"
)

// bundleVersion is the version of a bundle without actions, bundleWithActions of one with actions.
// Readers refuse versions they do not know, so only bundles with actions are refused by programs
// that know none. Adding optional fields does not change the version. Version 1 had no aliases,
// to-dos and events.
const (
	bundleVersion     = 2
	bundleWithActions = 3
)

// schemaVersion counts the changes in what a bank can hold. It is the same for all databases. It
// started as the version of the SQLite schema and is increased independently since.
const schemaVersion = 16

type headerLine struct {
	Type          string    `json:"type"`
	Version       int       `json:"version"`
	Agent         string    `json:"agent"`
	ExportedAt    time.Time `json:"exported_at"`
	SchemaVersion int       `json:"schema_version"`
}

type footerLine struct {
	Type    string `json:"type"`
	Records int    `json:"records"`
	Aliases int    `json:"aliases"`
	Turns   int    `json:"turns"`
	Todos   int    `json:"todos"`
	Events  int    `json:"events"`
	Actions int    `json:"actions,omitempty"`
}

// recordLine is a [memory.Record] without its agent, which is that of the importing bank. Times are
// RFC 3339 with fractional seconds.
type recordLine struct {
	Type            string           `json:"type"`
	ID              string           `json:"id"`
	Project         string           `json:"project,omitempty"`
	Kind            memory.Kind      `json:"kind"`
	Category        string           `json:"category,omitempty"`
	CategoryGuessed bool             `json:"category_guessed,omitempty"`
	Content         string           `json:"content"`
	Importance      float64          `json:"importance"`
	Pinned          bool             `json:"pinned,omitempty"`
	Tags            []string         `json:"tags,omitempty"`
	Source          memory.Source    `json:"source"`
	ExternalID      string           `json:"external_id,omitempty"`
	Metadata        json.RawMessage  `json:"metadata,omitempty"`
	Provenance      json.RawMessage  `json:"provenance,omitempty"`
	CreatedAt       time.Time        `json:"created_at"`
	OccurredAt      time.Time        `json:"occurred_at,omitzero"`
	ValidFrom       time.Time        `json:"valid_from,omitzero"`
	ValidUntil      time.Time        `json:"valid_until,omitzero"`
	Mentions        []memory.Mention `json:"mentions,omitempty"`
	Supersedes      string           `json:"supersedes,omitempty"`
	SupersededBy    string           `json:"superseded_by,omitempty"`
	SupersededAt    time.Time        `json:"superseded_at,omitzero"`
	ArchivedAt      time.Time        `json:"archived_at,omitzero"`
	ArchiveWhy      string           `json:"archive_why,omitempty"`
	Confirmations   int              `json:"confirmations"`
	AccessCount     int              `json:"access_count,omitempty"`
	LastAccessedAt  time.Time        `json:"last_accessed_at,omitzero"`
	Damaged         bool             `json:"damaged,omitempty"` // the content differs from what was saved
	detailFields
}

func lineOfRecord(r memory.Record, runs []memory.ProcedureRun) recordLine {
	return recordLine{
		Type: typeRecord, ID: r.ID, Project: r.Project, Kind: r.Kind, Category: r.Category, CategoryGuessed: r.CategoryGuessed,
		Content: r.Content, Importance: r.Importance, Pinned: r.Pinned, Tags: r.Tags, Source: r.Source, ExternalID: r.ExternalID,
		Metadata: r.Metadata, Provenance: r.Provenance, CreatedAt: r.CreatedAt, OccurredAt: r.OccurredAt,
		ValidFrom: r.ValidFrom, ValidUntil: r.ValidUntil, Mentions: r.Mentions, Supersedes: r.Supersedes, SupersededBy: r.SupersededBy,
		SupersededAt: r.SupersededAt, ArchivedAt: r.ArchivedAt, ArchiveWhy: r.ArchiveWhy, Confirmations: r.Confirmations,
		AccessCount: r.AccessCount, LastAccessedAt: r.LastAccessedAt, Damaged: r.Damaged, detailFields: fieldsOf(r.KindDetails, runs),
	}
}

func (l recordLine) record(agent string) memory.Record {
	return memory.Record{
		ID: l.ID, Agent: agent, Project: l.Project, Kind: l.Kind, Category: l.Category, CategoryGuessed: l.CategoryGuessed,
		Content: l.Content, Importance: l.Importance, Pinned: l.Pinned, Tags: l.Tags, Source: l.Source, ExternalID: l.ExternalID,
		Metadata: l.Metadata, Provenance: l.Provenance, CreatedAt: l.CreatedAt, OccurredAt: l.OccurredAt,
		ValidFrom: l.ValidFrom, ValidUntil: l.ValidUntil, Mentions: l.Mentions, Supersedes: l.Supersedes, SupersededBy: l.SupersededBy,
		SupersededAt: l.SupersededAt, ArchivedAt: l.ArchivedAt, ArchiveWhy: l.ArchiveWhy, Confirmations: max(1, l.Confirmations),
		AccessCount: l.AccessCount, LastAccessedAt: l.LastAccessedAt, Damaged: l.Damaged, KindDetails: l.details(),
	}
}

// bundledTurn is a [memory.Turn] without its agent. The index is only for readers of the file: an
// import numbers turns in the order of the lines.
type bundledTurn struct {
	Type       string          `json:"type"`
	ID         string          `json:"id"`
	Project    string          `json:"project,omitempty"`
	Session    string          `json:"session"`
	Index      int             `json:"index"`
	Role       memory.Role     `json:"role,omitempty"`
	Speaker    string          `json:"speaker,omitempty"`
	Content    string          `json:"content"`
	ExternalID string          `json:"external_id,omitempty"`
	Metadata   json.RawMessage `json:"metadata,omitempty"`
	SaidAt     time.Time       `json:"said_at"`
	CreatedAt  time.Time       `json:"created_at"`
	ArchivedAt time.Time       `json:"archived_at,omitzero"`
	Details    *turnDetails    `json:"details,omitempty"`
	Damaged    bool            `json:"damaged,omitempty"`
}

func lineOfTurn(t memory.Turn) bundledTurn {
	return bundledTurn{
		Type: typeTurn, ID: t.ID, Project: t.Project, Session: t.Session, Index: t.Index, Role: t.Role, Speaker: t.Speaker,
		Content: t.Content, ExternalID: t.ExternalID, Metadata: t.Metadata,
		SaidAt: t.SaidAt, CreatedAt: t.CreatedAt, ArchivedAt: t.ArchivedAt, Details: (*turnDetails)(t.Details), Damaged: t.Damaged,
	}
}

func (l bundledTurn) turn(agent string) memory.Turn {
	return memory.Turn{
		ID: l.ID, Agent: agent, Project: l.Project, Session: l.Session, Index: l.Index, Role: l.Role, Speaker: l.Speaker,
		Content: l.Content, ExternalID: l.ExternalID, Metadata: l.Metadata,
		SaidAt: l.SaidAt, CreatedAt: l.CreatedAt, ArchivedAt: l.ArchivedAt, Details: (*memory.TurnDetails)(l.Details), Damaged: l.Damaged,
	}
}
