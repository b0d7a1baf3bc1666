package contextwindow

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/text/analysis"
	"mcp-memory/text/failing"
	"mcp-memory/text/injected"
	"mcp-memory/text/lazyregexp"
)

// Bounds on what one job learns from the turns that it saves the facts of.
const (
	maxErrors      = 100 // failed calls that are counted
	maxEpisodes    = 20  // episodes
	maxReasonRunes = 400 // of why a call failed
	maxEventRunes  = 240 // of what was said beside the calls
	maxCallRunes   = 80  // of what a call was about
	maxNamedCalls  = 6   // of a turn's calls that its episode names
)

// experience returns requests to save what the job's turns teach beside facts: a learning for
// each failed call and for each correction by the user, and an episode for each turn in which
// something was decided or made. It depends on nothing but the turns and the facts, and each
// request has an idempotency key made of its turn or call, so that saving it twice saves it once.
// said has the turns by index.
func (r *attempt) experience(said map[int]memory.Turn) []remember.SaveRequest {
	turns := r.span(r.work.From, r.work.To)
	list := r.errors(turns)
	for i, f := range r.work.Facts {
		if f.Type == memory.FactCorrection {
			list = append(list, r.correction(i, f, said, turns))
		}
	}
	return append(list, r.episodes(turns)...)
}

// errors returns a learning for every call that failed, at most maxErrors. Saving merges those of
// the same tool with the same message into one, which counts how often.
func (r *attempt) errors(turns []memory.Turn) (list []remember.SaveRequest) {
	asked := ""
	for i, t := range turns {
		if t.Role == memory.RoleUser {
			asked = t.Content
		}
		for n, f := range failures(turns[:i], t) {
			if len(list) == maxErrors {
				return list
			}
			list = append(list, f.learning(t, n, injected.Without(asked)))
		}
	}
	return list
}

// failure is a call that brought no result: its tool as [memory.ToolCall.ToolUse] names it, why
// it failed, and the call's id, "" if it has none.
type failure struct{ tool, reason, call string }

// failures returns the failed calls that a turn tells of: its own calls with an error, or a call
// of an earlier turn (in before) of which it is the failed result, unless that turn tells of the
// failure itself.
func failures(before []memory.Turn, t memory.Turn) (list []failure) {
	if t.Details == nil {
		return nil
	}
	for _, c := range t.Details.ToolCalls {
		if c.Error != "" {
			list = append(list, failure{c.ToolUse(), c.Error, c.ID})
		}
	}
	if t.Role == memory.RoleTool && t.Details.Classification == memory.ClassError && strings.TrimSpace(t.Content) != "" {
		if tool, told := answeredBy(before, t); !told {
			list = append(list, failure{tool, t.Content, t.Details.ToolCallID})
		}
	}
	return list
}

// answeredBy returns the tool whose result a tool's message is, as far as the turns before tell,
// and whether the turn with the call tells of the failure itself.
func answeredBy(before []memory.Turn, t memory.Turn) (tool string, told bool) {
	for _, b := range slices.Backward(before) {
		if b.Details == nil {
			continue
		}
		for _, c := range b.Details.ToolCalls {
			if c.ID != "" && c.ID == t.Details.ToolCallID {
				return c.ToolUse(), c.Error != ""
			}
		}
	}
	if t.Speaker != string(memory.RoleTool) {
		return t.Speaker, false
	}
	return "a tool", false
}

// correction returns a learning for the job's fact number i, with which the user put something
// right. Its context is what the assistant said last before.
func (r *attempt) correction(i int, f found, said map[int]memory.Turn, turns []memory.Turn) remember.SaveRequest {
	t, known := said[f.Turn]
	details := memory.LearningDetails{Type: memory.LearningCorrection}
	for _, b := range slices.Backward(turns) {
		if known && b.Index < t.Index && b.Role == memory.RoleAssistant && b.Content != "" {
			details.Context = shortened(b.Content, maxEventRunes)
			break
		}
	}
	if !known {
		t = memory.Turn{ID: r.id}
	}
	return learning(t, i, f.Content, details)
}

// learning returns a request to save what a turn teaches; n tells apart several learnings of one
// type from one turn.
func learning(t memory.Turn, n int, content string, details memory.LearningDetails) remember.SaveRequest {
	importance := details.Type.Importance()
	return remember.SaveRequest{
		Content: content, Kind: memory.KindLearning, Importance: &importance, OccurredAt: t.SaidAt, Quiet: true,
		IdempotencyKey: "learning/" + t.ID + "/" + string(details.Type) + "/" + strconv.Itoa(n), Provenance: provenance(t),
		KindDetails: memory.KindDetails{Learning: &details},
	}
}

// classes are the classes of turns that become episodes, with the importance and the emotional
// valence of these.
var classes = map[memory.TurnClass]struct {
	importance, valence float64
}{
	memory.ClassStrategic:  {0.8, 0},
	memory.ClassProductive: {0.5, 0.2},
}

// episodes returns an episode for each turn in which something was decided or made, in order of
// the turns. Of more than maxEpisodes it takes the most important, and of equally important ones
// the latest.
func (r *attempt) episodes(turns []memory.Turn) []remember.SaveRequest {
	var chosen []int
	for i, t := range turns {
		if t.Details == nil || t.Role == memory.RoleUser {
			continue
		}
		if _, ok := classes[t.Details.Classification]; ok && event(t) != "" {
			chosen = append(chosen, i)
		}
	}
	slices.SortStableFunc(chosen, func(a, b int) int {
		return cmp.Or(cmp.Compare(classes[turns[b].Details.Classification].importance, classes[turns[a].Details.Classification].importance),
			cmp.Compare(b, a))
	})
	chosen = chosen[:min(len(chosen), maxEpisodes)]
	slices.Sort(chosen)
	var list []remember.SaveRequest
	for _, i := range chosen {
		t := turns[i]
		c := classes[t.Details.Classification]
		details := memory.EpisodeDetails{Participants: []string{t.Speaker}, Outcome: outcomeOf(t), EmotionalValence: c.valence}
		list = append(list, remember.SaveRequest{
			Content: event(t), Kind: memory.KindEpisode, Importance: &c.importance, Tags: []string{string(t.Details.Classification)},
			ExternalID: "turn/" + t.ID, OccurredAt: t.SaidAt, Quiet: true, IdempotencyKey: "episode/" + t.ID, Provenance: provenance(t),
			KindDetails: memory.KindDetails{Episode: &details},
		})
	}
	return list
}

// event returns what happened in a turn: which tools were called about what, and the first
// sentence of what was said beside the calls. It is empty for a turn without calls.
func event(t memory.Turn) string {
	var calls []string
	for _, c := range t.Details.ToolCalls {
		if len(calls) == maxNamedCalls {
			calls = append(calls, "others")
			break
		}
		name := c.Name
		if about := subjectOf(c.Arguments); about != "" {
			name += " (" + about + ")"
		}
		if !slices.Contains(calls, name) {
			calls = append(calls, name)
		}
	}
	if len(calls) == 0 {
		return ""
	}
	text := capitalized(t.Speaker) + " called " + strings.Join(calls, ", ") + "."
	if all := analysis.Sentences(injected.Without(t.Content)); len(all) > 0 {
		text += " " + shortened(all[0], maxEventRunes)
	}
	return text
}

func capitalized(speaker string) string {
	if speaker == string(memory.RoleAssistant) || speaker == "" {
		return "The assistant"
	}
	return speaker
}

// outcomeOf returns what the last failed call of a turn says, or "" if none failed.
func outcomeOf(t memory.Turn) string {
	for _, c := range slices.Backward(t.Details.ToolCalls) {
		if c.Error != "" {
			return c.Name + " failed: " + shortened(failing.Telling(c.Error), maxEventRunes)
		}
	}
	return ""
}

// about names the arguments that say best what a call is about, the best first. Others may hold
// whole files.
var about = []string{"file_path", "path", "filename", "notebook_path", "command", "cmd", "name", "title", "branch", "goal", "url", "query"}

// subjectOf is what a call is about, shortened to one line, or "".
func subjectOf(arguments json.RawMessage) string {
	var object map[string]json.RawMessage
	if json.Unmarshal(arguments, &object) != nil {
		return ""
	}
	for _, name := range about {
		var value string
		if json.Unmarshal(object[name], &value) == nil && strings.TrimSpace(value) != "" {
			return shortened(value, maxCallRunes)
		}
	}
	return ""
}

// shortened returns the first line of a text that is not blank, cut to limit characters.
func shortened(text string, limit int) string {
	for line := range strings.Lines(strings.ToValidUTF8(text, "")) {
		line = strings.Join(strings.Fields(strings.ReplaceAll(line, "\x00", "")), " ")
		if line == "" {
			continue
		}
		if utf8.RuneCountInString(line) > limit {
			line = string([]rune(line)[:limit-1]) + "…"
		}
		return line
	}
	return ""
}

// passing matches what differs each time the same error comes: ids, addresses, moments and how
// long it took.
var passing = lazyregexp.New(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b0x[0-9a-f]+\b|\b[0-9a-f]{16,}\b|` +
	`\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?|\b\d+(\.\d+)?(ns|µs|ms|s)\b|\bpid[ =:]+\d+`)

// stable returns an error message with all that passing matches replaced by "…", so that the
// error is recognised when it comes again.
func stable(message string) string { return passing().ReplaceAllString(message, "…") }

// provenance says which turn a record is drawn from.
func provenance(t memory.Turn) json.RawMessage {
	raw, err := json.Marshal(map[string]any{"session": t.Session, "turn": t.ID, "index": t.Index})
	if err != nil {
		return nil
	}
	return raw
}
