package transfer

import (
	"context"
	"encoding/json"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer/jsonl"
)

// factLine is a line of the format facts.
type factLine struct {
	ID         jsonl.Name    `json:"id"`
	Content    string        `json:"content"`
	Text       string        `json:"text"` // used if content is ""
	Category   string        `json:"category"`
	Kind       memory.Kind   `json:"kind"`
	TS         jsonl.Moment  `json:"ts"`
	Importance *float64      `json:"importance"`
	Tags       []string      `json:"tags"`
	Speaker    string        `json:"speaker"`
	Session    jsonl.Name    `json:"session"`
	Source     memory.Source `json:"source"`
}

// factLoader imports facts through package remember, so that they obey the same rules as memories
// that an agent saves.
type factLoader struct {
	deps   Deps
	scope  memory.Scope
	batch  *remember.Batch
	whole  *remember.Import // collects what the import did, for its undo
	revive bool             // [Options.Revive]
	own    bool             // [Options.Own]
}

func newFactLoader(deps Deps, o Options) *factLoader {
	return &factLoader{deps: deps, scope: o.Scope, batch: deps.Service.NewBatch(o.Scope), whole: deps.Service.NewImport(o.Scope.Agent),
		revive: o.Revive, own: o.Own}
}

func (l *factLoader) size() int { return l.batch.Len() }

func (l *factLoader) end() error { return nil }

// undoID implements undoable.
func (l *factLoader) undoID() string { return l.whole.UndoID() }

func (l *factLoader) add(_ context.Context, text []byte) error {
	var line factLine
	if err := jsonl.Decode(text, &line); err != nil {
		return err
	}
	request, err := line.request()
	if err != nil {
		return err
	}
	request.Revive = l.revive
	if request.Source == memory.SourceUser && !l.own {
		request.Source = memory.SourceImport
	}
	return l.batch.Add(request)
}

func (f factLine) request() (remember.SaveRequest, error) {
	r := remember.SaveRequest{
		Content: f.Content, Kind: f.Kind, Category: f.Category, Importance: f.Importance, Tags: f.Tags,
		Source: f.Source, ExternalID: string(f.ID), OccurredAt: f.TS.Time, Quiet: true, Again: true,
	}
	if r.Content == "" {
		r.Content = f.Text
	}
	if r.Source == "" {
		r.Source = memory.SourceImport
	}
	if r.Kind == memory.KindLongTerm || r.Kind == memory.KindEpisode {
		r.Episode = &memory.EpisodeDetails{}
	}
	if r.Kind == memory.KindSoul {
		r.Soul = &memory.SoulDetails{Type: memory.SoulBelief}
	}
	said := struct {
		Speaker string `json:"speaker,omitempty"`
		Session string `json:"session,omitempty"`
	}{f.Speaker, string(f.Session)}
	if f.Speaker == "" && f.Session == "" {
		return r, nil
	}
	var err error
	r.Metadata, err = json.Marshal(said)
	return r, err
}

func (l *factLoader) cut(ctx context.Context) write {
	batch := l.batch
	l.batch = l.deps.Service.NewBatch(l.scope)
	batch.Embed(ctx)
	return func(ctx context.Context) (Report, error) {
		results, err := l.whole.Save(ctx, batch)
		if err != nil {
			return Report{}, err
		}
		return savedFacts(results), nil
	}
}

// savedFacts counts the results of saves.
func savedFacts(results []remember.SaveResult) (done Report) {
	for _, r := range results {
		switch r.Action {
		case remember.Created:
			done.Created++
		case remember.Superseded:
			done.Updated++
		case remember.Revived:
			done.Revived++
		case remember.Forgotten:
			done.Forgotten++
		default:
			done.Duplicates++
		}
		if replaced := r.Replaced(); len(replaced) > 0 && r.UndoID != "" {
			done.Superseded = append(done.Superseded, replaced...)
		}
	}
	done.Records = done.Created + done.Updated + done.Revived
	return done
}
