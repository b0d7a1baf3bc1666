package memory

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Limits of what details may hold, beside those of records.
const (
	MaxSteps          = 100     // steps of a procedure
	MaxPrerequisites  = 64      // prerequisites of a procedure, and its success criteria
	MaxProcedureBytes = 1 << 20 // all text of a procedure
)

// OfKind reports whether the details that are set are those that records of
// kind k have. None is always right.
func (d KindDetails) OfKind(k Kind) bool {
	for _, one := range []struct {
		set   bool
		kinds []Kind
	}{
		{d.Episode != nil, []Kind{KindLongTerm, KindEpisode}},
		{d.Soul != nil, []Kind{KindSoul}},
		{d.Triple != nil, []Kind{KindTriple}},
		{d.Procedure != nil, []Kind{KindProcedure}},
		{d.Relationship != nil, []Kind{KindRelationship}},
		{d.Diary != nil, []Kind{KindDiary}},
		{d.Learning != nil, []Kind{KindLearning}},
		{d.Summary != nil, []Kind{KindSummary}},
	} {
		if one.set && !slices.Contains(one.kinds, k) {
			return false
		}
	}
	return true
}

// validate reports the first thing that is wrong, by the names that the tools use for arguments.
// Details on a record of another kind are a plain error, as a mistake of the program and not of its
// caller.
func (d KindDetails) validate(k Kind) error {
	for _, one := range []interface{ validate() error }{
		d.Episode, d.Soul, d.Triple, d.Procedure, d.Relationship, d.Diary, d.Learning, d.Summary,
	} {
		if err := one.validate(); err != nil {
			return err
		}
	}
	if !d.OfKind(k) {
		return fmt.Errorf("a record of kind %q has the details of another kind", k)
	}
	return nil
}

// firstError calls checks in order until one fails.
func firstError(checks ...func() error) error {
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func isName(name, s string) func() error {
	return func() error {
		if strings.TrimSpace(s) == "" {
			return Errorf(CodeInvalidArgument, "%s is empty", name)
		}
		return CheckLine(name, s, MaxNameBytes)
	}
}

func isText(name, s string, limit int) func() error {
	return func() error { return CheckText(name, s, limit) }
}

func isLine(name, s string) func() error {
	return func() error { return CheckLine(name, s, MaxNameBytes) }
}

func isUnit(name string, x float64) func() error {
	return func() error { return CheckUnit(name, x, 0, 1) }
}

func isOneOf[T ~string](name string, s T, allowed []T) func() error {
	return func() error {
		if slices.Contains(allowed, s) {
			return nil
		}
		return Errorf(CodeInvalidArgument, "%s %q does not exist", name, s).WithHint("one of %s", join(allowed))
	}
}

func isCount(name string, n, most int) func() error {
	return func() error {
		if n >= 0 && n <= most {
			return nil
		}
		return Errorf(CodeInvalidArgument, "%s is %d", name, n).WithHint("from 0 to %d", most)
	}
}

// areTexts checks a list of at most most texts, each of at most limit bytes and not blank.
func areTexts(name string, list []string, most, limit int) func() error {
	return func() error {
		if len(list) > most {
			return tooMany(name, len(list), most)
		}
		for _, s := range list {
			if err := CheckText(name, s, limit); err != nil {
				return err
			}
			if strings.TrimSpace(s) == "" {
				return Errorf(CodeInvalidArgument, "%s has an empty element", name).WithHint("leave it out")
			}
		}
		return nil
	}
}

func tooMany(name string, n, most int) error {
	return Errorf(CodeTooLarge, "%s has %d elements, at most %d are allowed", name, n, most).WithHint("keep the ones that matter")
}

func (d *SoulDetails) validate() error {
	if d == nil {
		return nil
	}
	return isOneOf("kind", d.Type, SoulTypes())()
}

func (d *TripleDetails) validate() error {
	if d == nil {
		return nil
	}
	return firstError(
		isName("subject", d.Subject),
		isName("predicate", d.Predicate),
		func() error {
			if strings.TrimSpace(d.Object) == "" {
				return Errorf(CodeInvalidArgument, "object is empty")
			}
			return CheckText("object", d.Object, MaxContentBytes)
		},
		isUnit("confidence", d.Confidence),
		isText("source", d.Origin, MaxContentBytes),
	)
}

func (d *ProcedureDetails) validate() error {
	if d == nil {
		return nil
	}
	return firstError(
		isName("name", d.Name),
		isText("description", d.Description, MaxContentBytes),
		d.checkSteps,
		areTexts("prerequisites", d.Prerequisites, MaxPrerequisites, MaxContentBytes),
		areTexts("success_criteria", d.SuccessCriteria, MaxPrerequisites, MaxContentBytes),
		d.checkSize,
		isCount("times_executed", d.Executed, math.MaxInt32),
		isCount("times_succeeded", d.Succeeded, d.Executed),
	)
}

func (d *ProcedureDetails) checkSteps() error {
	if len(d.Steps) > MaxSteps {
		return Errorf(CodeTooLarge, "steps has %d elements, at most %d are allowed", len(d.Steps), MaxSteps).
			WithHint("split the procedure, and name one in a step of the other")
	}
	for i, s := range d.Steps {
		if strings.TrimSpace(s.Action) == "" {
			return Errorf(CodeInvalidArgument, "action of step %d is empty", i+1)
		}
		for _, f := range [][2]string{{"action", s.Action}, {"expected_outcome", s.ExpectedOutcome}, {"error_handling", s.ErrorHandling}} {
			if err := CheckText(fmt.Sprintf("%s of step %d", f[0], i+1), f[1], MaxContentBytes); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkSize bounds all text of a procedure together to [MaxProcedureBytes], as it is exported as one
// line.
func (d *ProcedureDetails) checkSize() error {
	total := len(d.Description)
	for _, s := range d.Steps {
		total += len(s.Action) + len(s.ExpectedOutcome) + len(s.ErrorHandling)
	}
	for _, s := range slices.Concat(d.Prerequisites, d.SuccessCriteria) {
		total += len(s)
	}
	if total > MaxProcedureBytes {
		return Errorf(CodeTooLarge, "steps and the rest of the procedure are %d bytes together, at most %d are allowed", total,
			MaxProcedureBytes).
			WithHint("keep what is to be done; the long form belongs in a file")
	}
	return nil
}

// Validate reports the first thing that is wrong with a run about to be
// stored: [CodeInvalidArgument] or [CodeTooLarge], naming the argument.
func (r ProcedureRun) Validate() error { return CheckText("notes", r.Notes, MaxContentBytes) }

func (d *RelationshipDetails) validate() error {
	if d == nil {
		return nil
	}
	return firstError(
		isName("agent", d.Party),
		isLine("name", d.Name),
		isLine("type", d.Type),
		isUnit("trust_level", d.Trust),
		isText("emotional_tone", d.Tone, MaxContentBytes),
		isText("rationale", d.Rationale, MaxContentBytes),
		isText("notes", d.Notes, MaxContentBytes),
		isCount("interactions", d.Interactions, math.MaxInt32),
	)
}

func (d *DiaryDetails) validate() error {
	if d == nil {
		return nil
	}
	return firstError(
		func() error {
			if _, err := time.Parse(time.DateOnly, d.Date); err != nil {
				return Errorf(CodeInvalidArgument, "date %q is not a date", d.Date).WithHint("such as 2026-03-01")
			}
			return nil
		},
		isLine("mood", d.Mood),
		isLine("location", d.Location),
		func() error { return checkObject("data", d.Data) },
	)
}

// checkObject allows nil, and a JSON object of up to MaxMetadataBytes.
func checkObject(name string, data json.RawMessage) error {
	if data == nil {
		return nil
	}
	if err := CheckText(name, string(data), MaxMetadataBytes); err != nil {
		return err
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(data, &object); err != nil || object == nil {
		return Errorf(CodeInvalidArgument, "%s is not a JSON object", name).WithHint(`such as {"page": 7}`)
	}
	return nil
}

func (d *LearningDetails) validate() error {
	if d == nil {
		return nil
	}
	return firstError(
		isOneOf("kind", d.Type, LearningTypes()),
		isText("context", d.Context, MaxContentBytes),
		isLine("tool", d.Tool),
	)
}

func (d *SummaryDetails) validate() error {
	if d == nil {
		return nil
	}
	return firstError(
		isOneOf("of", Corpus(d.Of), Corpora()),
		isText("focus", d.Focus, MaxContentBytes),
		areTexts("covers", d.Covers, len(d.Covers), MaxNameBytes),
		isCount("count", d.Count, math.MaxInt32),
	)
}
