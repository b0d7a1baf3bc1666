package resources

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcp-memory/actions"
	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/injected"
	"mcp-memory/text/lazyregexp"
	"mcp-memory/text/secrets"
	"mcp-memory/text/worth"
)

// HandoffTokens is the most tokens that the text of a [Handoff] may have.
const HandoffTokens = 400

// Handoff sums up the latest session of a project for whoever continues it. Each text is one line,
// in the words of the conversation or the command that was run.
type Handoff struct {
	Session string    `json:"session"` // "" if there was no session
	Host    string    `json:"host,omitempty"`
	At      time.Time `json:"at,omitzero"`
	Summary []string  `json:"summary,omitempty"` // written by a model; then Asked, Said, Decided and Open are empty
	Asked   []string  `json:"asked"`             // first and last request of the user
	Done    []string  `json:"done"`
	Said    []string  `json:"said"` // only of a session in which nothing was done
	Decided []string  `json:"decided"`
	Open    []string  `json:"open"`
}

// mostNamed is how many commands, decisions or open things are listed. saidLine is the longest
// line, and fileName the longest end of a path, in characters.
const mostNamed, saidLine, fileName = 3, 240, 60

// Handoff sums up the latest session of the scope's project, in at most HandoffTokens unless one
// line of each list is already more. Errors are the store's.
func (s *Service) Handoff(ctx context.Context, scope memory.Scope) (Handoff, error) {
	pool, err := s.pool(ctx, scope, pagePools)
	if err != nil {
		return Handoff{}, err
	}
	known := s.judge(pool, scope, true, nil)
	h, err := s.latest(ctx, scope, known)
	if err == nil && h.Session != "" && len(h.Summary) == 0 {
		err = s.addDecided(ctx, scope, &h, known)
	}
	for _, list := range []*[]string{&h.Done, &h.Said, &h.Open, &h.Decided, &h.Asked, &h.Summary} { // the last of a list matters least
		if *list == nil {
			*list = []string{} // in JSON a list, not null
		}
		for len(*list) > 1 && s.tokens.Count(h.Text()) > HandoffTokens {
			*list = (*list)[:len(*list)-1]
		}
	}
	return h, err
}

// addDecided adds the decisions, corrections and open tasks in the memories that were made from
// this session.
func (s *Service) addDecided(ctx context.Context, scope memory.Scope, h *Handoff, known *chooser) error {
	learnings, _, err := s.learnings(ctx, scope)
	for _, r := range learnings {
		if r.Learning != nil && r.Learning.Type == memory.LearningCorrection && r.SupersededBy == "" && sessionOf(r) == h.Session {
			h.Decided = append(h.Decided, oneLine(r.Content, saidLine))
		}
	}
	for _, one := range known.best() {
		if one.Kind == memory.KindFact && sessionOf(one.Record) == h.Session {
			h.add(one, false)
		}
	}
	h.tidy()
	return err
}

// sessionOf returns the session that a record was made from, "" for none.
func sessionOf(r memory.Record) string {
	var origin struct{ Session string }
	_ = json.Unmarshal(r.Provenance, &origin) // provenance may have any form
	return origin.Session
}

// distinct returns the first mostNamed texts that are not alike.
func distinct(list []string) []string {
	kept := []string{}
	for _, text := range list {
		if len(kept) < mostNamed && !slices.ContainsFunc(kept, func(k string) bool { return alike(k, text) }) {
			kept = append(kept, text)
		}
	}
	return kept
}

// alike reports whether two texts share at least two thirds of the word stems of the shorter one.
func alike(a, b string) bool {
	one, other := stemsOf(a), stemsOf(b)
	return 3*shared(one, other) >= 2*max(1, min(len(one), len(other)))
}

// latest sums up the latest session by what was done and said in it. It leaves out what memories
// say of the session, because those have parts of their own on the page.
func (s *Service) latest(ctx context.Context, scope memory.Scope, known *chooser) (h Handoff, err error) {
	var talk memory.DatedText
	var byModel bool
	if s.conversations != nil {
		if talk, byModel, err = s.conversations.LastSession(ctx, scope); err != nil {
			return h, err
		}
	}
	var did actions.Last
	if s.work != nil {
		if did, err = s.work.Last(ctx, scope); err != nil {
			return h, err
		}
	}
	worked := did.Session != "" && (talk.ID == "" || talk.ID == did.Session || did.At.After(talk.At))
	switch {
	case worked:
		h.Session, h.Host, h.At, h.Done = did.Session, did.Host, did.At, done(did)
		byModel = byModel && talk.ID == did.Session
		if byModel {
			break
		}
		for _, asked := range did.Asked {
			if secrets.Find(asked) == "" {
				h.Asked = append(h.Asked, strings.Trim(oneLine(asked, saidLine), `"`))
			}
		}
		if talk.ID != did.Session {
			talk = memory.DatedText{}
		}
		if h.Open, err = s.leftOpen(ctx, scope, did); err != nil {
			return h, err
		}
	case talk.Text != "":
		h.Session, h.At = talk.ID, talk.At
	}
	if byModel {
		h.Summary = strings.Split(talk.Text, "\n")
		return h, nil
	}
	told, err := s.tell(ctx, scope, talk, known)
	for _, one := range told {
		h.add(one, !worked)
	}
	h.tidy()
	return h, err
}

// tidy removes repetitions: among decisions, among open things, and the last request if one of
// these says it too.
func (h *Handoff) tidy() {
	h.Decided, h.Open = distinct(h.Decided), distinct(h.Open)
	if last := len(h.Asked) - 1; last > 0 &&
		slices.ContainsFunc(slices.Concat(h.Decided, h.Open), func(text string) bool { return alike(h.Asked[last], text) }) {
		h.Asked = h.Asked[:last]
	}
}

// add adds a sentence to Decided, Open or, if said is set, Said.
func (h *Handoff) add(one *candidate, said bool) {
	text := oneLine(shown(one.Record), saidLine)
	asked := slices.ContainsFunc(h.Asked, func(a string) bool { return alike(a, text) })
	switch {
	case one.Sort == worth.Decision || one.Sort == worth.Preference && !said:
		h.Decided = append(h.Decided, text)
	case one.Sort == worth.Task && !asked:
		h.Open = append(h.Open, text)
	case said:
		h.Said = append(h.Said, text)
	}
}

// closingTurns is how many of the last messages are searched for the agent's closing message.
const closingTurns = 60

// isOpen matches a sentence in which an agent says what is left to do.
var isOpen = lazyregexp.New(`(?i)^\W*(?:(?:still )?open|left open|remaining|still to do|not (?:yet )?done|to ?do|next steps?|next)\W*:|\b(?:is|are|remains?) still (?:open|missing|to be done)\b`)

// leftOpen returns what the agent's last message says is left to do, and the commands that still
// fail.
func (s *Service) leftOpen(ctx context.Context, scope memory.Scope, did actions.Last) (open []string, err error) {
	from := 0
	if w, err := s.store.Window(ctx, scope.Agent, did.Session); err != nil {
		return nil, err
	} else if w != nil {
		from = max(0, w.Turns-closingTurns)
	}
	turns, err := s.store.Turns(ctx, scope.Agent, did.Session, from, 0)
	for _, t := range slices.Backward(turns) {
		if t.Role != memory.RoleAssistant || strings.TrimSpace(t.Content) == "" {
			continue
		}
		for _, sentence := range analysis.Sentences(injected.Without(t.Content)) {
			if isOpen().MatchString(sentence) && secrets.Find(sentence) == "" {
				open = append(open, oneLine(sentence, saidLine))
			}
		}
		break
	}
	for _, f := range did.Unmended {
		line := "`" + f.Command + "` fails"
		if f.Says != "" {
			line += ": " + f.Says
		}
		open = append(open, line)
	}
	return open, err
}

// done lists what was done, one clause each, such as "tests passed: `go test ./...`".
func done(did actions.Last) (list []string) {
	named := func(verb string, names []string, quote string, most int) {
		if len(names) == 0 {
			return
		}
		clause := verb + quote + strings.Join(names[:min(most, len(names))], quote+", "+quote) + quote
		if more := len(names) - most; more > 0 {
			clause += fmt.Sprintf(" and %d more", more)
		}
		list = append(list, clause)
	}
	files := slices.Clone(did.Files)
	for i, name := range files {
		if runes := []rune(oneLine(name, memory.MaxActionText)); len(runes) > fileName {
			files[i] = "…" + string(runes[len(runes)-fileName:])
		}
	}
	named("changed ", files, "", mostNamed+1)
	named("tests passed: ", did.Tests, "`", 2)
	named("committed ", did.Commits, `"`, 2)
	named("ran ", did.Commands, "`", mostNamed)
	if did.Failed > 0 {
		list = append(list, fmt.Sprintf("%d of %d commands failed on the way", did.Failed, did.Ran))
	}
	if len(list) == 0 {
		list = append(list, "only looked")
	}
	return list
}

// lines returns the lines of the summary without bullets: the model's own, or what was asked, done,
// said, decided and left open.
func (h Handoff) lines() (lines []string) {
	lines = slices.Clone(h.Summary)
	if len(h.Asked) > 0 {
		lines = append(lines, `Asked: "`+strings.Join(h.Asked, `"; then: "`)+`"`)
	}
	if len(h.Done) > 0 {
		lines = append(lines, "Done: "+strings.Join(h.Done, "; "))
	}
	lines = append(lines, h.Said...)
	for _, text := range h.Decided {
		lines = append(lines, "Decided: "+text)
	}
	for _, text := range h.Open {
		_, bare, marked := strings.Cut(text, ":")
		if marked && isOpen().MatchString(text) {
			text = strings.TrimSpace(bare)
		}
		lines = append(lines, "Open: "+text)
	}
	return lines
}

// Text returns the summary as a Markdown list.
func (h Handoff) Text() string {
	return "- " + strings.Join(h.lines(), "\n- ") + "\n"
}
