package actions

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
)

// Command is a command that did not fail each time it was run.
type Command struct {
	Command  string    `json:"command"`
	Dir      string    `json:"dir,omitempty"`   // where it was last run without failing
	OK       bool      `json:"ok"`              // it succeeded at least once; false if its host does not report outcomes
	Times    int       `json:"times"`           // number of runs, failures included
	Worked   int       `json:"worked"`          // how many of them succeeded
	LastUsed time.Time `json:"last_used"`       // its last run that did not fail
	About    string    `json:"about,omitempty"` // its description, if there was one
	Session  string    `json:"session"`
}

// Limits of answers.
const (
	howLimit = 5
	// howFloor is the least score of a command, and howNearly the least score relative to the best
	// one.
	howFloor, howNearly = 0.3, 0.4
	maxWhat             = 2000
)

// How returns the commands that worked for what is asked, best first. The score is mostly how well
// a command fits, and a little how often it worked and how recently. An empty question is
// [memory.CodeInvalidArgument]. Other errors are the store's.
func (s *Service) How(ctx context.Context, scope memory.Scope, what string) ([]Command, error) {
	if strings.TrimSpace(what) == "" {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "what is empty").
			WithHint("say what is to be done, such as: start the dev database")
	}
	list, err := s.List(ctx, scope, "", 0)
	if err != nil {
		return nil, err
	}
	commands, documents := ranCommands(list)
	now := s.o.Clock.Now()
	what = strings.ToValidUTF8(what[:min(len(what), maxWhat)], "")
	found := search(what, documents)
	if found, err = s.likened(ctx, what, commands, found); err != nil {
		return nil, err
	}
	for i, f := range found {
		c := commands[f.at]
		age := max(0, now.Sub(c.LastUsed).Hours()/24)
		found[i].score = f.score * (1 + 0.05*math.Log(float64(max(1, c.Worked))) + 0.1/(1+age/30))
		if looks(c.Command) {
			found[i].score *= 0.6
		}
		if strings.Contains(strings.ToLower(c.Command), strings.ToLower(strings.TrimSpace(what))) {
			found[i].score += 1
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	answer := []Command{}
	for _, f := range found {
		if len(answer) == howLimit || f.score < howFloor || f.score < howNearly*found[0].score {
			break
		}
		answer = append(answer, commands[f.at])
	}
	return answer, nil
}

// ranCommands returns the commands that did not always fail, newest first, and for each the
// document by which it is found. list has the newest action first.
func ranCommands(list []memory.Action) (commands []Command, documents []document) {
	of := map[string]int{}
	times := map[string]int{}
	for _, a := range list { // newest first
		if !a.Kind.Runs() {
			continue
		}
		key := canon(a.Text)
		times[key]++
		if a.Outcome == memory.OutcomeFailed {
			continue
		}
		i, known := of[key]
		if !known {
			i = len(commands)
			of[key] = i
			commands = append(commands, Command{Command: key, Dir: a.Dir, LastUsed: a.At, About: a.About, Session: a.Session})
			documents = append(documents, document{})
		}
		if a.Outcome == memory.OutcomeOK {
			commands[i].OK, commands[i].Worked = true, commands[i].Worked+1
		}
		documents[i].add(a.Text, 1)
		for _, text := range use(a.Text) {
			documents[i].add(text, 0.9)
		}
		documents[i].add(a.About, 0.9)
		documents[i].add(a.Asked, 0.3)
		if a.Kind == memory.ActionTest {
			documents[i].add("run tests", 0.8)
		}
	}
	for key, i := range of {
		commands[i].Times = times[key]
	}
	return commands, documents
}

// Similarity of meaning: nearMeaning is the cosine from which it counts, and meaningCounts the
// factor of what is above that.
const (
	nearMeaning   = 0.3
	meaningCounts = 0.7
	mostLikened   = 4000 // commands that are embedded, which takes some tens of milliseconds
)

// likened adds to the scores of a search by words how near each command is in meaning. It needs a
// local embedder.
func (s *Service) likened(ctx context.Context, what string, commands []Command, found []scored) ([]scored, error) {
	if s.o.Embedder == nil || !s.o.Embedder.Local() {
		return found, nil
	}
	commands = commands[:min(len(commands), mostLikened)]
	texts := make([]string, len(commands))
	for i, c := range commands {
		texts[i] = strings.Join(append(use(c.Command), c.About, c.Command), ". ")
	}
	question, err := s.o.Embedder.EmbedQuery(ctx, what)
	if err != nil {
		return nil, err
	}
	vectors, err := s.o.Embedder.EmbedDocuments(ctx, texts)
	if err != nil {
		return nil, err
	}
	scores := make([]float64, len(commands))
	for i, v := range vectors {
		near := 0.0
		for k := range min(len(v), len(question)) {
			near += float64(v[k]) * float64(question[k])
		}
		scores[i] = meaningCounts * max(0, near-nearMeaning)
	}
	for i, f := range found {
		if f.at < len(scores) {
			found[i].score, scores[f.at] = f.score+scores[f.at], 0
		}
	}
	for at, score := range scores {
		if score > 0 {
			found = append(found, scored{at, score})
		}
	}
	return found, nil
}
