package tools

import (
	"context"
	"slices"
	"strings"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/render"
	"mcp-memory/text/taxonomy"
)

var recallSpec = Spec{
	Name: "memory_recall", Title: "Recall memories", Group: Core, Effect: Read, Reach: access.Projects, Always: true, Memories: true,
	Description: "Find what was saved, by meaning and by words. Call it before answering anything that may depend on " +
		"earlier sessions: the user, their preferences, decisions, projects, people. What was true at another time: memory_search with as_of.",
}

// narrowing has the filters that memory_recall and memory_search have in common.
type narrowing struct {
	Project *string   `json:"project,omitempty" desc:"Beside global memories; * is all."`
	Since   time.Time `json:"since,omitzero" desc:"Happened at or after this time."`
	Until   time.Time `json:"until,omitzero" desc:"Happened before this time."`
}

func (n narrowing) project() *string { return n.Project }

func (n narrowing) check() error {
	if !n.Since.IsZero() && !n.Until.IsZero() && !n.Since.Before(n.Until) {
		return memory.Errorf(memory.CodeInvalidArgument, "until is not after since").WithHint("since is inclusive, until exclusive")
	}
	return nil
}

type recallInput struct {
	Query      string        `json:"query" desc:"A plain question or some words." required:"true"`
	Category   string        `json:"category,omitempty" desc:"Only this category."`
	Categories []string      `json:"categories,omitempty" desc:"Only these categories." listed:"no"`
	Kinds      []memory.Kind `json:"kinds,omitempty" desc:"Only these kinds; turn adds conversation messages." enum:"+turn"`
	Tags       []string      `json:"tags,omitempty" desc:"Only with all of these."`
	narrowing
	AsOf            time.Time `json:"as_of,omitzero" desc:"True at this time." listed:"no"`
	Now             time.Time `json:"now,omitzero" desc:"When it is asked; default: now." listed:"no"`
	LinkID          string    `json:"link_id,omitempty" desc:"Only what came by this neural link." listed:"no"`
	KnownAt         time.Time `json:"known_at,omitzero" desc:"Recorded by this time." listed:"no"`
	Limit           int       `json:"limit,omitempty" desc:"Most results." default:"10" min:"1" max:"100"`
	MaxTokens       int       `json:"max_tokens,omitempty" desc:"Token budget; default: none." min:"1"`
	MinScore        float64   `json:"min_score,omitempty" desc:"Leave out weaker results; 0 shows all." default:"0.18" min:"0" max:"1" listed:"no"`
	Explain         bool      `json:"explain,omitempty" desc:"Say why each result is there." listed:"no"`
	IncludeArchived bool      `json:"include_archived,omitempty" desc:"Also archived."`
}

type recallOutput struct {
	Results     []recallResult    `json:"results"`
	Categories  []taxonomy.Score  `json:"categories"`
	TotalTokens int               `json:"total_tokens"`
	Truncated   bool              `json:"truncated"`
	Confidence  recall.Confidence `json:"confidence" enum:"high,medium,low,none"`
	Elsewhere   []recall.Found    `json:"elsewhere,omitempty" desc:"Other projects that have something, if this one has nothing."`
	Plans       []planOutput      `json:"plans,omitempty" listed:"no"`
}

type recallResult struct {
	ID            string        `json:"id"`
	Kind          memory.Kind   `json:"kind" enum:"+turn"`
	Content       string        `json:"content"`
	Category      string        `json:"category"`
	Tags          []string      `json:"tags"`
	Score         float64       `json:"score"`
	Salience      float64       `json:"salience"`
	Tier          recall.Tier   `json:"tier" enum:"category,flat"`
	CreatedAt     time.Time     `json:"created_at"`
	OccurredAt    time.Time     `json:"occurred_at,omitzero"`
	ValidFrom     time.Time     `json:"valid_from,omitzero"`
	ValidUntil    time.Time     `json:"valid_until,omitzero"`
	SupersededBy  string        `json:"superseded_by,omitempty"`
	Source        memory.Source `json:"source,omitempty"`
	Project       string        `json:"project"`
	ExternalID    string        `json:"external_id,omitempty"`
	Speaker       string        `json:"speaker,omitempty"`
	Session       string        `json:"session,omitempty"`
	Confirmations int           `json:"confirmations"`
	Duplicates    []string      `json:"duplicates,omitempty"`
	OutdatedBy    string        `json:"outdated_by,omitempty"`
	DoubtedBy     string        `json:"doubted_by,omitempty" listed:"no"` // id of a newer memory that may contradict it
	Overdue       time.Time     `json:"overdue_since,omitzero" listed:"no"`
	Earlier       []earlier     `json:"earlier,omitempty"`
	Damaged       bool          `json:"damaged,omitempty" listed:"no"`
	Archived      bool          `json:"archived,omitempty" listed:"no"`
	Why           *recall.Why   `json:"why,omitempty"`
}

// earlier is an earlier version of a result, which a correction superseded.
type earlier struct {
	ID         string    `json:"id"`
	Content    string    `json:"content"`
	OccurredAt time.Time `json:"occurred_at"`          // when it began to hold, as far as is known
	ValidUntil time.Time `json:"valid_until,omitzero"` // when the next version began
}

func earlierOf(versions []recall.Version) (list []earlier) {
	for _, v := range versions {
		list = append(list, earlier{v.ID, v.Content, v.From, v.Until})
	}
	return list
}

func (s Services) recall(ctx context.Context, scope memory.Scope, in recallInput) (*recallOutput, string, error) {
	if err := in.check(); err != nil {
		return nil, "", err
	}
	categories, err := in.allCategories()
	if err != nil {
		return nil, "", err
	}
	request := recall.Request{
		Query: in.Query, Scope: scope, Limit: in.Limit, Tokens: in.MaxTokens,
		MinScore: in.MinScore, Now: in.Now, Explain: in.Explain, Lenient: true,
		Filter: memory.Filter{
			Categories: categories, Tags: in.Tags, Link: in.LinkID, Since: in.Since, Until: in.Until, AsOf: in.AsOf, KnownAt: in.KnownAt,
			IncludeArchived: in.IncludeArchived,
		},
	}
	request.Corpora, request.Filter.Kinds = split(in.Kinds)
	answer, err := s.Recall.Recall(ctx, request)
	if err != nil {
		return nil, "", err
	}
	s.told(scope, recallSpec.Name, in.Query, answer)
	out := recallOutput{Categories: answer.Categories, TotalTokens: answer.TotalTokens, Truncated: answer.Truncated,
		Confidence: answer.Confidence}
	for _, r := range answer.Results {
		out.Results = append(out.Results, recallResultOf(r))
	}
	if out.Elsewhere, err = s.elsewhere(ctx, request, answer.Results); err != nil {
		return nil, "", err
	}
	plans, err := s.plans(ctx, scope, answer.Agenda, &out)
	if err != nil {
		return nil, "", err
	}
	switch {
	case plans == "":
	case len(out.Results) == 0:
		return &out, plans, nil
	case !answer.Confidence.Sure(): // results are weak, so plans come first
		return &out, s.pointed(scope, out.Elsewhere) + plans + "\n" + resultsText(answer, indented, s.words()), nil
	}
	if len(out.Results) == 0 {
		return &out, s.nothing(scope, out.Elsewhere, missedText(answer.Missed, s.Recall.Day)), nil
	}
	return &out, s.pointed(scope, out.Elsewhere) + resultsText(answer, indented, s.words()) + strings.TrimSuffix("\n"+plans, "\n"), nil
}

// missedText says that nothing was found. If the question asked about a time, it names that time
// and the date of the nearest record.
func missedText(m *recall.Missed, day func(time.Time) string) string {
	if m == nil {
		return render.Verdict(recall.None, 0)
	}
	text := "Nothing on " + day(m.From)
	if last := day(m.To.Add(-time.Second)); last != day(m.From) {
		text = "Nothing from " + day(m.From) + " to " + last
	}
	if m.Nearest.IsZero() {
		return text + "."
	}
	return text + "; the nearest is of " + day(m.Nearest) + "."
}

func (in recallInput) allCategories() ([]string, error) {
	given := in.Categories
	if in.Category != "" {
		given = append(slices.Clone(given), in.Category)
	}
	var names []string
	for _, c := range given {
		name, err := memory.NormalCategory(c)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// split turns the kinds asked for into the corpora to search and the kinds of records to search
// for. KindTurn stands for the corpus of conversations.
func split(kinds []memory.Kind) ([]memory.Corpus, []memory.Kind) {
	records := slices.DeleteFunc(slices.Clone(kinds), func(k memory.Kind) bool { return k == memory.KindTurn })
	switch {
	case len(records) == len(kinds):
		return []memory.Corpus{memory.Memories}, records
	case len(records) == 0:
		return []memory.Corpus{memory.Conversations}, nil
	}
	return memory.Corpora(), records
}

func recallResultOf(r recall.Result) recallResult {
	return recallResult{
		ID: r.ID, Kind: r.Kind, Content: r.Content, Category: r.Category, Tags: r.Tags, Score: r.Score, Salience: r.Salience,
		Tier: r.Tier, CreatedAt: r.CreatedAt, OccurredAt: r.OccurredAt, ValidFrom: r.ValidFrom, ValidUntil: r.ValidUntil,
		SupersededBy: r.SupersededBy, Source: r.Source, Project: r.Project, ExternalID: r.ExternalID, Speaker: r.Speaker,
		Session: r.Session, Confirmations: r.Confirmations, Duplicates: r.Duplicates,
		OutdatedBy: r.OutdatedBy, DoubtedBy: r.DoubtedBy, Overdue: r.Overdue,
		Damaged: r.Damaged, Archived: !r.ArchivedAt.IsZero(), Earlier: earlierOf(r.Earlier), Why: r.Why,
	}
}
