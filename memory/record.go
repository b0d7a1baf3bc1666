package memory

import (
	"encoding/json"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Limits of what one record may hold. Over them a save is refused with
// [CodeTooLarge]; nothing is ever cut off silently.
const (
	MaxContentBytes  = 32 << 10 // content of a record
	MaxMetadataBytes = 4 << 10  // metadata of a record, as JSON
	MaxQueryBytes    = 32 << 10 // a search query
	MaxTurnBytes     = 1 << 20  // content of one conversation message
	MaxTags          = 64       // tags of a record
	MaxTagBytes      = 128      // one tag
	MaxNameBytes     = 256      // a project, category, external id, speaker or session
	MaxBatch         = 500      // records or messages of one call
	MaxIDs           = 100      // ids of one call
)

// DefaultImportance is that of a record whose caller did not say.
const DefaultImportance = 0.5

// WhySelfCare is the [Record.ArchiveWhy] of records that self-care archived: a summary stands for
// them, nobody asked to forget them.
const WhySelfCare = "self_care"

// Record is one searchable memory of any [Kind]. Times are in UTC with
// microsecond precision; the zero time means that there is none.
type Record struct {
	ID       string // UUIDv7, made by the program
	Agent    string // the bank it belongs to
	Project  string // scope inside the bank; empty means global
	Kind     Kind
	Category string // name of a [Category]
	// CategoryGuessed is set where the program chose the category. Filters
	// treat a guess with care: a wrong one must not hide the record.
	CategoryGuessed bool
	Content         string
	Importance      float64 // 0 to 1
	Pinned          bool    // does not decay and is exempt from self-care
	Tags            []string
	Source          Source
	ExternalID      string          // the caller's own name for it, unique in the bank
	Metadata        json.RawMessage // an object of the caller's, or nil
	Provenance      json.RawMessage // where it was copied or derived from, or nil

	CreatedAt  time.Time // when it was recorded
	OccurredAt time.Time // when it happened
	ValidFrom  time.Time // true from then (inclusive); zero is always
	ValidUntil time.Time // true until then (exclusive); zero is forever
	// Mentions are the times that Content speaks of; none for a record whose times were not read.
	Mentions []Mention

	Supersedes   string    // id of the record that this one corrects
	SupersededBy string    // id of the record that corrects this one
	SupersededAt time.Time // when it was corrected
	ArchivedAt   time.Time // when it was set aside; still there on request
	ArchiveWhy   string    // the reason given, if any; [WhySelfCare]

	Confirmations  int // how often the same content was saved, at least 1
	AccessCount    int // recalls, at most one a session
	LastAccessedAt time.Time

	// Damaged is set by a store when the content that it reads does not fit its checksum. A
	// record that is stored with Damaged set, such as a copy of a damaged one, keeps it.
	Damaged bool

	KindDetails
}

// EpisodeDetails is what only long-term memories and episodes have.
type EpisodeDetails struct {
	Participants     []string
	Outcome          string
	EmotionalValence float64 // -1 (bad) to 1 (good)
}

// EventTime is when the record's subject took place as far as is known:
// OccurredAt, else ValidFrom, else CreatedAt.
func (r Record) EventTime() time.Time {
	switch {
	case !r.OccurredAt.IsZero():
		return r.OccurredAt
	case !r.ValidFrom.IsZero():
		return r.ValidFrom
	}
	return r.CreatedAt
}

// Live reports whether the record is neither archived nor superseded.
func (r Record) Live() bool { return r.ArchivedAt.IsZero() && r.SupersededBy == "" }

// TrueAt reports whether the record says what is true at a moment: ValidFrom ≤ t
// < ValidUntil, where a zero time is no bound. Whether it was corrected or set
// aside meanwhile is another question, see [Record.Live].
func (r Record) TrueAt(t time.Time) bool {
	return !t.Before(r.ValidFrom) && (r.ValidUntil.IsZero() || t.Before(r.ValidUntil))
}

// Rejected reports whether whoever saved the record marked it as rejected: by a tag
// of that name, or as the "status" in its metadata.
func (r Record) Rejected() bool {
	for _, tag := range r.Tags {
		if strings.EqualFold(tag, "rejected") {
			return true
		}
	}
	if len(r.Metadata) == 0 {
		return false
	}
	var marked struct{ Status any }
	_ = json.Unmarshal(r.Metadata, &marked) // what is no object marks nothing
	status, _ := marked.Status.(string)
	return strings.EqualFold(status, "rejected")
}

// visible reports whether a character can be seen: spaces, control and format characters, such as a
// zero-width space, cannot.
func visible(r rune) bool { return !unicode.IsSpace(r) && !unicode.In(r, unicode.Cc, unicode.Cf) }

// Validate reports the first thing that is wrong with a record about to be
// stored: [CodeInvalidArgument] or [CodeTooLarge], naming the argument.
func (r Record) Validate() error {
	if err := CheckText("content", r.Content, MaxContentBytes); err != nil {
		return err
	}
	if !strings.ContainsFunc(r.Content, visible) {
		return Errorf(CodeInvalidArgument, "content is empty").WithHint("say what to remember, in a sentence that stands on its own")
	}
	if !r.Kind.Valid() {
		return Errorf(CodeInvalidArgument, "kind %q does not exist", r.Kind).WithHint("one of %s", join(Kinds()))
	}
	if !r.Source.Valid() {
		return Errorf(CodeInvalidArgument, "source %q does not exist", r.Source).WithHint("one of %s", join(Sources()))
	}
	if err := CheckUnit("importance", r.Importance, 0, 1); err != nil {
		return err
	}
	if err := checkTags(r.Tags); err != nil {
		return err
	}
	for _, f := range [][2]string{{"project", r.Project}, {"external_id", r.ExternalID}} {
		if err := CheckLine(f[0], f[1], MaxNameBytes); err != nil {
			return err
		}
	}
	if name, err := NormalCategory(r.Category); err != nil {
		return err
	} else if name != r.Category {
		return Errorf(CodeInvalidArgument, "category %q is not in the form of one", r.Category).WithHint("%s", name)
	}
	if err := r.checkMetadata(); err != nil {
		return err
	}
	if !r.ValidFrom.IsZero() && !r.ValidUntil.IsZero() && !r.ValidFrom.Before(r.ValidUntil) {
		return Errorf(CodeInvalidArgument, "valid_until is not after valid_from").
			WithHint("valid_from is inclusive, valid_until exclusive")
	}
	return r.KindDetails.validate(r.Kind)
}

// checkMetadata refuses metadata that is too large or not a JSON object: anything else could not be
// returned to a caller.
func (r Record) checkMetadata() error {
	if len(r.Metadata) > MaxMetadataBytes {
		return Errorf(CodeTooLarge, "metadata is %d bytes, at most %d are allowed", len(r.Metadata), MaxMetadataBytes).
			WithHint("keep what programs need; what is to be found belongs in content")
	}
	var object map[string]json.RawMessage
	if r.Metadata != nil && json.Unmarshal(r.Metadata, &object) != nil {
		return Errorf(CodeInvalidArgument, "metadata is not a JSON object").WithHint(`such as {"page": 7}`)
	}
	return CheckText("metadata", string(r.Metadata), MaxMetadataBytes)
}

func (d *EpisodeDetails) validate() error {
	if d == nil {
		return nil
	}
	if err := CheckUnit("emotional_valence", d.EmotionalValence, -1, 1); err != nil {
		return err
	}
	if err := CheckText("outcome", d.Outcome, MaxContentBytes); err != nil {
		return err
	}
	if len(d.Participants) > MaxTags {
		return Errorf(CodeTooLarge, "participants has %d elements, at most %d are allowed", len(d.Participants), MaxTags).
			WithHint("name the ones that matter")
	}
	for _, p := range d.Participants {
		if err := CheckLine("participants", p, MaxNameBytes); err != nil {
			return err
		}
	}
	return nil
}

func checkTags(tags []string) error {
	if len(tags) > MaxTags {
		return Errorf(CodeTooLarge, "tags has %d elements, at most %d are allowed", len(tags), MaxTags).
			WithHint("keep the ones to filter by")
	}
	for _, t := range tags {
		if err := CheckLine("tags", t, MaxTagBytes); err != nil {
			return err
		}
		if strings.TrimSpace(t) == "" {
			return Errorf(CodeInvalidArgument, "tags has an empty tag").WithHint("leave it out")
		}
	}
	return nil
}

// CheckUnit returns [CodeInvalidArgument] unless lo ≤ x ≤ hi; NaN is refused.
func CheckUnit(name string, x, lo, hi float64) error {
	if x >= lo && x <= hi {
		return nil
	}
	return Errorf(CodeInvalidArgument, "%s is %v", name, x).WithHint("a number from %v to %v", lo, hi)
}

// CheckText returns [CodeInvalidArgument] for text that is not UTF-8 or has a
// NUL, and [CodeTooLarge] for more than limit bytes.
func CheckText(name, s string, limit int) error {
	if len(s) > limit {
		return Errorf(CodeTooLarge, "%s is %d bytes, at most %d are allowed", name, len(s), limit).
			WithHint("split it, or keep the long form in a file and save what it says")
	}
	if !utf8.ValidString(s) {
		return Errorf(CodeInvalidArgument, "%s is not valid UTF-8", name).WithHint("convert it to UTF-8 first")
	}
	if strings.ContainsRune(s, 0) {
		return Errorf(CodeInvalidArgument, "%s contains a NUL character", name).WithHint("remove it")
	}
	return nil
}

func join[T ~string](values []T) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = string(v)
	}
	return strings.Join(parts, ", ")
}
