package memory

import (
	"encoding/json"
	"strings"
	"time"
)

// Role is the role of a turn's speaker as model APIs have it.
type Role string

// The roles of a turn.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Roles lists every role.
func Roles() []Role { return []Role{RoleSystem, RoleUser, RoleAssistant, RoleTool} }

// Turn is one message of a conversation. Turns are searched like records but
// are not records: they are kept as they were said, and compaction never
// deletes one.
type Turn struct {
	ID         string // UUIDv7, made by the program
	Agent      string
	Project    string
	Session    string // the conversation it belongs to
	Index      int    // position in the session, from 0, given by the store
	Role       Role   // empty where people talk to people
	Speaker    string // a name, else the role
	Content    string
	ExternalID string          // the caller's own name for it, unique in its session
	Metadata   json.RawMessage // an object of the caller's, or nil
	SaidAt     time.Time
	CreatedAt  time.Time // when it was recorded
	ArchivedAt time.Time
	Details    *TurnDetails // of turns that a context window manages, else nil
	Damaged    bool         // as that of a [Record]
}

// Validate reports the first thing that is wrong with a turn about to be
// stored: [CodeInvalidArgument] or [CodeTooLarge], naming the argument.
func (t Turn) Validate() error {
	if err := CheckText("text", t.Content, MaxTurnBytes); err != nil {
		return err
	}
	if strings.TrimSpace(t.Content) == "" && (t.Details == nil || len(t.Details.ToolCalls) == 0) {
		return Errorf(CodeInvalidArgument, "text is empty")
	}
	if strings.TrimSpace(t.Session) == "" {
		return Errorf(CodeInvalidArgument, "session is missing").WithHint("name the conversation that the message belongs to")
	}
	for _, f := range [][2]string{
		{"session", t.Session}, {"speaker", t.Speaker}, {"role", string(t.Role)},
		{"project", t.Project}, {"external_id", t.ExternalID},
	} {
		if err := CheckLine(f[0], f[1], MaxNameBytes); err != nil {
			return err
		}
	}
	return t.Details.validate()
}
