package actions

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/text/analysis"
	"mcp-memory/text/secrets"
)

// Lines is a range of lines of a file, counted from 1, both ends included. The zero value is all
// lines.
type Lines struct{ From, To int }

// Commit is a commit that changed a file.
type Commit struct {
	ID      string    `json:"id"`
	At      time.Time `json:"at"`
	Author  string    `json:"author"`
	Subject string    `json:"subject"`
}

// Touch is what one session did to a file.
type Touch struct {
	Session string    `json:"session"`
	Host    string    `json:"host,omitempty"`
	Edits   int       `json:"edits"`
	Lines   int       `json:"lines,omitempty"` // requested lines it wrote
	Last    time.Time `json:"last"`
	Asked   []string  `json:"asked,omitempty"`
	Why     []string  `json:"why,omitempty"` // what the agent said before its changes
}

// Reason is a memory about a file.
type Reason struct {
	ID      string    `json:"id"`
	Content string    `json:"content"`
	At      time.Time `json:"at"`
	Session string    `json:"session,omitempty"`
}

// Blame has the history of a file: who changed it, and why.
type Blame struct {
	Sessions    []Touch  `json:"sessions"`
	Decisions   []Reason `json:"decisions"`
	Corrections []Reason `json:"corrections"`
	Commits     []Commit `json:"commits"`
}

// BlameRequest asks for the history of a file.
type BlameRequest struct {
	Path  string // absolute, or the end of a path
	Lines Lines
	// Sums are hashes of the requested lines, see [mcp-memory/transfer/transcripts.LineSum]. If any
	// session wrote one of them, sessions that wrote none are left out.
	Sums []string
}

const (
	blameLimit = 10
	blamePool  = 40 // memories that are considered
	whyLimit   = 3
)

// Blame returns the sessions that changed a file, the memories about it and its commits. Sessions
// and commits are newest first, of memories first those that name the file. An empty or too long
// path is [memory.CodeInvalidArgument]. Other errors are the store's.
func (s *Service) Blame(ctx context.Context, scope memory.Scope, r BlameRequest) (Blame, error) {
	b := Blame{Sessions: []Touch{}, Decisions: []Reason{}, Corrections: []Reason{}, Commits: []Commit{}}
	if strings.TrimSpace(r.Path) == "" || len(r.Path) > memory.MaxActionText {
		return b, memory.Errorf(memory.CodeInvalidArgument, "the path is empty or too long")
	}
	list, err := s.List(ctx, scope, "", 0)
	if err != nil {
		return b, err
	}
	if b.Sessions = touches(list, r); b.Sessions == nil {
		b.Sessions = []Touch{}
	}
	if err := s.reasons(ctx, scope, r.Path, &b, memory.Memories, memory.Conversations); err != nil {
		return b, err
	}
	if s.o.Commits != nil {
		b.Commits = append(b.Commits, s.o.Commits(ctx, r.Path, r.Lines)...)
	}
	return b, nil
}

// Part is a titled section of the text form of a [Blame], with at least one line. A line that
// begins with blanks belongs to the line before it.
type Part struct {
	Title string
	Lines []string
}

// Parts renders the history of a file as text. day formats a date.
func (b Blame) Parts(day func(time.Time) string) (parts []Part) {
	add := func(title string, lines []string) {
		if len(lines) > 0 {
			parts = append(parts, Part{title, lines})
		}
	}
	said := func(list []Reason) (lines []string) {
		for _, r := range list {
			lines = append(lines, day(r.At)+"  "+r.Content)
		}
		return lines
	}
	var sessions, commits []string
	for _, t := range b.Sessions {
		edits := "edits"
		if t.Edits == 1 {
			edits = "edit"
		}
		sessions = append(sessions, fmt.Sprintf("%s  %s, %s, %d %s", day(t.Last), t.Host, t.Session, t.Edits, edits))
		for _, asked := range t.Asked {
			sessions = append(sessions, "  asked: "+memory.OneLine(asked, 120))
		}
		for _, why := range t.Why {
			sessions = append(sessions, "  said: "+memory.OneLine(why, 120))
		}
	}
	for _, c := range b.Commits {
		commits = append(commits, fmt.Sprintf("%s  %s %s (%s)", day(c.At), c.ID[:8], c.Subject, c.Author))
	}
	add("Sessions", sessions)
	add("Decisions", said(b.Decisions))
	add("Corrections", said(b.Corrections))
	add("Commits", commits)
	return parts
}

// sameFile reports whether known is asked or ends with it. It is a guess: known may be in another
// checkout, and asked only the end of a path.
func sameFile(known, asked string) bool {
	known, asked = path.Clean(strings.ReplaceAll(known, `\`, "/")), path.Clean(strings.ReplaceAll(asked, `\`, "/"))
	return known == asked || strings.HasSuffix(known, "/"+strings.TrimPrefix(asked, "/"))
}

// touches returns the sessions that changed the file of r, from a list of actions with the newest
// first.
func touches(list []memory.Action, r BlameRequest) (found []Touch) {
	of := map[string]int{}
	wrote := map[[2]int]bool{} // sessions with requested lines, by their indexes
	for _, a := range list {
		if !a.Kind.Changes() || a.Outcome == memory.OutcomeFailed || !sameFile(a.Text, r.Path) {
			continue
		}
		i, known := of[a.Session]
		if !known {
			i = len(found)
			of[a.Session] = i
			found = append(found, Touch{Session: a.Session, Host: a.Host, Last: a.At})
		}
		t := &found[i]
		t.Edits++
		for line, sum := range r.Sums {
			for at := 0; at+len(sum) <= len(a.Hunks) && !wrote[[2]int{i, line}]; at += 8 {
				if sum != "" && a.Hunks[at:at+len(sum)] == sum {
					t.Lines++
					wrote[[2]int{i, line}] = true
				}
			}
		}
		if a.Asked != "" && len(t.Asked) < whyLimit && !slices.Contains(t.Asked, a.Asked) {
			t.Asked = append(t.Asked, a.Asked)
		}
		if a.About != "" && len(t.Why) < whyLimit && !slices.Contains(t.Why, a.About) {
			t.Why = append(t.Why, a.About)
		}
	}
	if slices.ContainsFunc(found, func(t Touch) bool { return t.Lines > 0 }) {
		found = slices.DeleteFunc(found, func(t Touch) bool { return t.Lines == 0 })
	}
	return found[:min(blameLimit, len(found))]
}

// reasons adds to b the decisions and corrections about a file, but no secrets: memories that name
// it, and memories on the same topic from the sessions that changed it. If the corpora include
// conversations, it also adds statements of the user that name the file.
func (s *Service) reasons(ctx context.Context, scope memory.Scope, file string, b *Blame, corpora ...memory.Corpus) error {
	if s.o.Recall == nil {
		return nil
	}
	file = strings.ReplaceAll(file, `\`, "/")
	name := path.Base(file)
	answer, err := s.o.Recall.Recall(ctx,
		recall.Request{Query: name + " " + strings.NewReplacer("/", " ", "_", " ", ".", " ").Replace(tail(file, 3)), Scope: scope,
			Limit: blamePool, Unasked: true, Corpora: corpora})
	if err != nil {
		return err
	}
	topic := analysis.Content(strings.TrimSuffix(name, path.Ext(name)))
	for _, t := range b.Sessions {
		topic = append(topic, analysis.Telling(strings.Join(t.Why, " "))...)
	}
	slices.SortStableFunc(answer.Results, func(a, b recall.Result) int { return cmp.Compare(ofTalk(a), ofTalk(b)) })
	for _, r := range answer.Results {
		var origin struct{ Session string }
		_ = json.Unmarshal(r.Provenance, &origin) // without provenance there is no session
		here := slices.ContainsFunc(b.Sessions, func(t Touch) bool { return t.Session == origin.Session })
		named := names(r.Content, file)
		if r.Corpus == memory.Conversations {
			if r.Content = stated(r.Content); r.Role != memory.RoleUser || r.Content == "" || !named || b.tells(r.Content) {
				continue
			}
		}
		if secrets.Is(r.Record) || r.Kind == memory.KindEpisode || r.Learning != nil && r.Learning.Type != memory.LearningCorrection ||
			r.SupersededBy != "" || !named && !(here && sharedStems(topic, r.Content) >= 2) {
			continue
		}
		one := Reason{ID: r.ID, Content: memory.OneLine(r.Content, 300), At: r.EventTime(), Session: origin.Session}
		if r.Learning != nil && r.Learning.Type == memory.LearningCorrection {
			b.Corrections = append(b.Corrections, one)
		} else {
			b.Decisions = append(b.Decisions, one)
		}
	}
	for _, list := range []*[]Reason{&b.Decisions, &b.Corrections} {
		slices.SortStableFunc(*list, func(a, c Reason) int {
			if an, cn := names(a.Content, file), names(c.Content, file); an != cn {
				if an {
					return -1
				}
				return 1
			}
			return c.At.Compare(a.At)
		})
		*list = (*list)[:min(blameLimit, len(*list))]
	}
	return nil
}

// ofTalk sorts memories before messages, so that tells can skip messages that a memory was made of.
func ofTalk(r recall.Result) int {
	if r.Corpus == memory.Conversations {
		return 1
	}
	return 0
}

// tells reports whether a decision or correction has three quarters of the stems of a message.
func (b *Blame) tells(message string) bool {
	stems := analysis.Content(message)
	return slices.ContainsFunc(slices.Concat(b.Decisions, b.Corrections),
		func(r Reason) bool { return 4*sharedStems(stems, r.Content) >= 3*len(stems) })
}

// stated returns a text without its questions.
func stated(text string) string {
	return strings.Join(slices.DeleteFunc(analysis.Sentences(text), func(s string) bool { return strings.HasSuffix(s, "?") }), " ")
}

// tail returns the last n names of a path.
func tail(file string, n int) string {
	parts := strings.Split(file, "/")
	return strings.Join(parts[max(0, len(parts)-n):], "/")
}

// names reports whether a text names a file: by its base name, and as much of the path before it as
// the text and file both have must agree.
func names(text, file string) bool {
	name := path.Base(file)
	for rest := text; ; {
		at := strings.Index(rest, name)
		if at < 0 {
			return false
		}
		end := at + len(name)
		begin := strings.LastIndexFunc(rest[:at], func(r rune) bool { return !pathRune(r) }) + 1
		whole := end == len(rest) || !pathRune(rune(rest[end])) || strings.HasPrefix(rest[end:], ". ") || rest[end:] == "."
		if said := rest[begin:end]; whole && (sameFile("/"+file, said) || !path.IsAbs(file) && sameFile("/"+said, file)) {
			return true
		}
		rest = rest[end:]
	}
}

func pathRune(r rune) bool {
	return r == '/' || r == '.' || r == '-' || r == '_' || r == '~' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' ||
		r >= 'A' && r <= 'Z' || r > 127
}

// sharedStems counts the different stems of topic that occur in a text.
func sharedStems(topic []string, text string) (n int) {
	stems := analysis.Content(text)
	slices.Sort(topic)
	for _, stem := range slices.Compact(slices.Clone(topic)) {
		if slices.Contains(stems, stem) {
			n++
		}
	}
	return n
}
