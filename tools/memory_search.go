package tools

import (
	"context"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/render"
)

var searchSpec = Spec{
	Name: "memory_search", Title: "Search everything", Group: Core, Effect: Read,
	Description: "Search memories, earlier conversations and workspace files together: what was said, by whom and when. " +
		"Saved facts alone: memory_recall.",
}

type searchInput struct {
	Query   string          `json:"query" desc:"Question or words; empty lists the newest." required:"true"`
	In      []memory.Corpus `json:"in,omitempty" desc:"Where." default:"memories,conversations,workspace"`
	Kinds   []memory.Kind   `json:"kinds,omitempty" desc:"Only these kinds." listed:"brief"`
	Speaker string          `json:"speaker,omitempty" desc:"Only by this speaker."`
	Session string          `json:"session,omitempty" desc:"Only of this conversation."`
	narrowing
	AsOf    time.Time `json:"as_of,omitzero" desc:"True at this time."`
	Archive bool      `json:"include_archived,omitempty" desc:"Also archived."`
	Now     time.Time `json:"now,omitzero" desc:"When it is asked; default: now." listed:"no"`
	Limit   int       `json:"limit,omitempty" desc:"Most results." default:"10" min:"1" max:"100"`
	Explain bool      `json:"explain,omitempty" desc:"Say why each result is there." listed:"no"`
}

type searchOutput struct {
	Results     []searchResult    `json:"results"`
	TotalTokens int               `json:"total_tokens"`
	Confidence  recall.Confidence `json:"confidence" enum:"high,medium,low,none"`
	Elsewhere   []recall.Found    `json:"elsewhere,omitempty" desc:"Other projects that have something, if this one has nothing."`
}

type searchResult struct {
	Type       string        `json:"type" enum:"memory,turn,file,thinking"`
	ID         string        `json:"id,omitempty"`
	ExternalID string        `json:"external_id,omitempty"`
	Path       string        `json:"path,omitempty" desc:"Of a file: below the workspace, or in full."`
	Line       int           `json:"line,omitempty" desc:"Where the passage begins, from 1."`
	Heading    string        `json:"heading,omitempty"`
	Kind       memory.Kind   `json:"kind,omitempty" enum:"+turn"`
	Speaker    string        `json:"speaker,omitempty"`
	Session    string        `json:"session,omitempty"`
	OccurredAt time.Time     `json:"occurred_at,omitzero"`
	Snippet    string        `json:"snippet"`
	Content    string        `json:"content,omitempty"`
	Score      float64       `json:"score"`
	Source     memory.Source `json:"source,omitempty" listed:"no"`
	OutdatedBy string        `json:"outdated_by,omitempty"`
	DoubtedBy  string        `json:"doubted_by,omitempty" listed:"no"`
	Earlier    []earlier     `json:"earlier,omitempty"`
	Why        *recall.Why   `json:"why,omitempty"`
}

// maxSearchContent is the length in bytes up to which a search result has its whole content beside
// the snippet.
const maxSearchContent = 4000

func (s Services) search(ctx context.Context, scope memory.Scope, in searchInput) (*searchOutput, string, error) {
	if err := in.check(); err != nil {
		return nil, "", err
	}
	request := recall.Request{
		Query: in.Query, Scope: scope, Corpora: in.corpora(), Limit: in.Limit,
		MinScore: recall.Floor, Now: in.Now, Explain: in.Explain, Lenient: true,
		Filter: memory.Filter{
			Kinds: in.Kinds, Speaker: in.Speaker, Session: in.Session,
			Since: in.Since, Until: in.Until, AsOf: in.AsOf, IncludeArchived: in.Archive,
		},
	}
	if strings.TrimSpace(in.Query) == "" {
		return s.listing(ctx, request)
	}
	answer, err := s.Recall.Recall(ctx, request)
	if err != nil {
		return nil, "", err
	}
	s.told(scope, searchSpec.Name, in.Query, answer)
	out := searchOutput{Confidence: answer.Confidence, TotalTokens: answer.TotalTokens}
	for _, r := range answer.Results {
		out.Results = append(out.Results, searchResultOf(r, in.Query))
	}
	if out.Elsewhere, err = s.elsewhere(ctx, request, answer.Results); err != nil {
		return nil, "", err
	}
	if len(out.Results) == 0 {
		return &out, s.nothing(scope, out.Elsewhere, render.Verdict(recall.None, 0)), nil
	}
	return &out, s.pointed(scope, out.Elsewhere) + resultsText(answer, passagesFor(in.Query), s.words()), nil
}

// listing answers an empty query: it lists what passes the filters, newest first.
func (s Services) listing(ctx context.Context, r recall.Request) (*searchOutput, string, error) {
	found, _, err := s.Recall.List(ctx, recall.Listing{Scope: r.Scope, Corpora: r.Corpora, Filter: r.Filter, Limit: r.Limit})
	if err != nil {
		return nil, "", err
	}
	answer := recall.Answer{Confidence: recall.None}
	for _, d := range found {
		answer.Results = append(answer.Results, recall.Result{Document: d})
	}
	out := searchOutput{Confidence: answer.Confidence}
	for _, one := range answer.Results {
		out.Results = append(out.Results, searchResultOf(one, ""))
	}
	if len(out.Results) == 0 {
		return &out, "Nothing passes the filters.", nil
	}
	return &out, listText(answer.Results, passagesFor(""), s.words()), nil
}

// corpora returns the corpora asked for, without those in which the filters can match nothing: only
// messages have a speaker and a session, and only memories have a kind.
func (in searchInput) corpora() []memory.Corpus {
	list := []memory.Corpus{}
	for _, c := range in.In {
		said := c == memory.Conversations || c == memory.Thinking
		if !said && (in.Speaker != "" || in.Session != "") || c != memory.Memories && len(in.Kinds) > 0 {
			continue
		}
		list = append(list, c)
	}
	return list
}

func searchResultOf(r recall.Result, query string) searchResult {
	out := searchResult{
		Type: "memory", ID: r.ID, ExternalID: r.ExternalID, Kind: r.Kind, Speaker: r.Speaker, Session: r.Session,
		OccurredAt: r.EventTime(), Snippet: recall.Snippet(r.Content, query), Score: r.Score,
		Source: r.Source, OutdatedBy: r.OutdatedBy, DoubtedBy: r.DoubtedBy, Earlier: earlierOf(r.Earlier), Why: r.Why,
	}
	switch r.Corpus {
	case memory.Conversations:
		out.Type = "turn"
	case memory.Thinking:
		out.Type = "thinking"
	case memory.Workspace:
		out.Type, out.OccurredAt = "file", r.OccurredAt // the time of an edit says little about the content
		out.Path, out.Line, out.Heading = r.Place.Path, r.Place.Line, r.Place.Heading
	}
	if len(r.Content) <= maxSearchContent {
		out.Content = r.Content
	}
	return out
}
