package memory

import (
	"context"
	"encoding/json"
	"time"
)

// KindDetails is what only records of one kind have: at most one of its fields
// is set, the others are nil.
type KindDetails struct {
	Episode      *EpisodeDetails // of kinds longterm and episode
	Soul         *SoulDetails
	Triple       *TripleDetails
	Procedure    *ProcedureDetails
	Relationship *RelationshipDetails
	Diary        *DiaryDetails
	Learning     *LearningDetails
	Summary      *SummaryDetails
}

// SoulType says what sort of identity anchor a soul entry is.
type SoulType string

// The types of soul entries.
const (
	SoulBelief     SoulType = "belief"
	SoulValue      SoulType = "value"
	SoulFear       SoulType = "fear"
	SoulConviction SoulType = "conviction"
)

// SoulTypes lists every type.
func SoulTypes() []SoulType { return []SoulType{SoulBelief, SoulValue, SoulFear, SoulConviction} }

// SoulDetails is what only soul entries have.
type SoulDetails struct{ Type SoulType }

// SoulType returns the type of a soul entry. One without a type, as imports once made it, is a belief.
func (d KindDetails) SoulType() SoulType {
	if d.Soul == nil {
		return SoulBelief
	}
	return d.Soul.Type
}

// TripleDetails is what only triples have. Two triples are about the same if
// [SameContent] of subject and predicate are equal.
type TripleDetails struct {
	Subject    string
	Predicate  string
	Object     string
	Confidence float64 // 0 to 1
	Origin     string  // where it is known from, in the caller's words
	Multi      bool    // other objects of subject and predicate stay true beside it
}

// ProcedureDetails is what only procedures have.
type ProcedureDetails struct {
	Name            string // unique among the live procedures of a bank, see [SameContent]
	Description     string
	Steps           []ProcedureStep
	Prerequisites   []string
	SuccessCriteria []string
	Executed        int // times
	Succeeded       int // times
	LastExecuted    time.Time
}

// ProcedureStep is one step; its number is its place, from 1.
type ProcedureStep struct {
	Action          string `json:"action"`
	ExpectedOutcome string `json:"expected_outcome,omitempty"`
	ErrorHandling   string `json:"error_handling,omitempty"`
}

// SuccessRate is the share of runs that succeeded, 0 before the first.
func (p ProcedureDetails) SuccessRate() float64 {
	if p.Executed == 0 {
		return 0
	}
	return float64(p.Succeeded) / float64(p.Executed)
}

// ProcedureRun is one execution of a procedure.
type ProcedureRun struct {
	Procedure string // id of the record
	Success   bool
	Notes     string
	At        time.Time
}

// RelationshipDetails is what only relationships have.
type RelationshipDetails struct {
	Party           string // the agent or person; one live record each, see [SameContent]
	Name            string
	Type            string  // ally, rival, mentor, creator, peer, client, ... free
	Trust           float64 // 0 to 1
	Tone            string
	Rationale       string
	Notes           string
	Interactions    int
	FirstMet        time.Time
	LastInteraction time.Time
}

// MetImportance is the importance of a relationship that the program made on its own and of which
// nobody has said anything: it ranks behind anything else that is as relevant.
const MetImportance = 0.2

// Bare reports whether nobody has said anything of the party yet.
func (d RelationshipDetails) Bare() bool { return d.Name+d.Tone+d.Rationale+d.Notes == "" }

// DiaryDetails is what only diary entries have.
type DiaryDetails struct {
	Date     string // YYYY-MM-DD; one live entry each
	Mood     string
	Location string
	Data     json.RawMessage // an object of the caller's, or nil
}

// LearningType says what was learned from.
type LearningType string

// The types of learnings.
const (
	LearningError      LearningType = "error"      // a tool failed
	LearningCorrection LearningType = "correction" // the user corrected the agent
)

// LearningTypes lists every type.
func LearningTypes() []LearningType { return []LearningType{LearningError, LearningCorrection} }

// Importance is what a learning of the type starts with: a correction by the user
// is what must not happen twice.
func (t LearningType) Importance() float64 {
	if t == LearningCorrection {
		return 0.8
	}
	return 0.7
}

// LearningDetails is what only learnings have.
type LearningDetails struct {
	Type    LearningType
	Context string
	Tool    string
}

// SummaryDetails is what only summaries have.
type SummaryDetails struct {
	Of     string   // "memories" or "conversations"
	Focus  string   // what it was asked to pay attention to
	Covers []string // ids of the records or turns that it stands for directly
	Count  int      // all that it stands for, also through summaries that it folded in
}

// CatalogFilter chooses records of one kind by what only that kind has. Empty
// fields allow everything; records without details pass where nothing is asked
// about them. Text is compared in the form of [SameContent].
type CatalogFilter struct {
	Agent    string   // in a [Tx] its own, also if empty
	Projects []string // nil is all of them
	Kind     Kind     // needed

	Type      string // of soul entries, learnings and relationships
	Subject   string // of triples, as the two below
	Predicate string
	Object    string
	Party     string // of relationships
	Name      string // of procedures
	From, To  string // dates of diary entries, both inclusive

	// AsOf asks for what was true then (see [Record]), also if it was corrected
	// since; zero is what is live and true now.
	AsOf time.Time
	// Every also returns records that were superseded or archived and, unless AsOf is set,
	// those that are not true yet or any longer.
	Every  bool
	Now    time.Time // the moment of the question; zero is the store's clock
	Limit  int       // 0 is no limit
	Offset int
	// Behind, to read a list in pages, is the id of a record: only records after it in the
	// order of the list pass and are counted. Not for diary entries, which are in another order.
	Behind string
	// Uncounted leaves out counting, which takes longer than the list itself where there are
	// many records: the total is then Offset plus the number of records returned.
	Uncounted bool
}

// Catalog lists records without searching their text.
type Catalog interface {
	// List returns the records that pass the filter, newest event first (diary
	// entries by date, newest first), and how many there are without limit and
	// offset. To ask for what the kind does not have is an error.
	List(ctx context.Context, f CatalogFilter) ([]Record, int, error)
	// ProcedureRuns returns the newest runs of a procedure, newest first; limit
	// 0 is no limit. Of what is no procedure there are none.
	ProcedureRuns(ctx context.Context, agent, id string, limit int) ([]ProcedureRun, error)
}

// Details is what a [Tx] keeps beside records.
type Details interface {
	// List is as [Catalog.List], inside the transaction.
	List(f CatalogFilter) ([]Record, int, error)
	// InsertProcedureRun stores a run; the counts of the record are the
	// caller's. [CodeNotFound] if there is no such procedure.
	InsertProcedureRun(r ProcedureRun) error
}
