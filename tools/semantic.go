package tools

import (
	"context"
	"fmt"
	"time"

	"mcp-memory/cognition"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

var (
	saveTripleSpec = Spec{
		Name: "save_semantic", Title: "Save a triple", Group: Semantic, Effect: Add,
		Description: "Keep a fact as subject, predicate, object, to ask for it exactly: Ann, lives_in, Oslo. A new object ends the old one's validity, unless the predicate can have several, such as likes.",
	}
	queryTriplesSpec = Spec{
		Name: "query_semantic", Title: "Query triples", Group: Semantic, Effect: Read,
		Description: "Look up facts by exact subject, predicate or object, as they are now or were at a time. To search by meaning use memory_recall.",
	}
)

type saveTripleInput struct {
	Subject     string    `json:"subject" desc:"Who or what it is about." required:"true"`
	Predicate   string    `json:"predicate" desc:"The relation, such as lives_in." required:"true"`
	Object      string    `json:"object" desc:"What is said of it." required:"true"`
	Category    string    `json:"category,omitempty" desc:"identity, capability, market, technical, social, financial, goal or another; default: chosen for you."`
	Confidence  float64   `json:"confidence,omitempty" desc:"0 guess to 1 certain." default:"1" min:"0" max:"1"`
	Source      string    `json:"source,omitempty" desc:"Where it is known from."`
	ValidFrom   time.Time `json:"valid_from,omitzero" desc:"True from then."`
	ValidUntil  time.Time `json:"valid_until,omitzero" desc:"True until then."`
	MultiValued *bool     `json:"multi_valued,omitempty" desc:"Whether other objects stay true beside it; default: by the predicate."`
}

type saveTripleOutput struct {
	ID          string                `json:"id"`
	Action      remember.Action       `json:"action" enum:"created,duplicate,superseded"`
	Category    string                `json:"category"`
	Closed      []string              `json:"closed"`
	Contradicts []contradictionOutput `json:"contradicts"`
	MultiValued bool                  `json:"multi_valued"`
	ValidFrom   time.Time             `json:"valid_from,omitzero"`
	ValidUntil  time.Time             `json:"valid_until,omitzero"`
}

// contradictionOutput is a triple that the new one closed although it had a higher confidence.
type contradictionOutput struct {
	ID         string  `json:"id"`
	Object     string  `json:"object"`
	Confidence float64 `json:"confidence"`
}

func (s Services) saveTriple(ctx context.Context, scope memory.Scope, in saveTripleInput) (*saveTripleOutput, string, error) {
	saved, err := s.Cognition.SaveTriple(ctx, scope, cognition.TripleRequest{
		Subject: in.Subject, Predicate: in.Predicate, Object: in.Object, Category: in.Category, Confidence: in.Confidence,
		Origin: in.Source, ValidFrom: in.ValidFrom, ValidUntil: in.ValidUntil, MultiValued: in.MultiValued,
	})
	if err != nil {
		return nil, "", err
	}
	out := saveTripleOutput{
		ID: saved.ID, Action: saved.Action, Category: saved.Category, MultiValued: saved.Triple.Multi,
		ValidFrom: saved.ValidFrom, ValidUntil: saved.ValidUntil,
	}
	text := keptText(saved.Saved)
	for _, r := range saved.Closed {
		out.Closed = append(out.Closed, r.ID)
		text += fmt.Sprintf("\nNo longer true: %s (%s)", memory.OneLine(r.Content, 120), r.ID)
	}
	for _, r := range saved.Contradicted() {
		out.Contradicts = append(out.Contradicts, contradictionOutput{r.ID, r.Triple.Object, r.Triple.Confidence})
		text += fmt.Sprintf("\nIt contradicts %q, which was held with confidence %s.", memory.OneLine(r.Triple.Object, 80),
			short(r.Triple.Confidence))
	}
	return &out, text, nil
}

type queryTriplesInput struct {
	Subject   string    `json:"subject,omitempty" desc:"Exact match, ignoring case."`
	Predicate string    `json:"predicate,omitempty" desc:"Exact match, ignoring case; _, - and blanks are the same."`
	Object    string    `json:"object,omitempty" desc:"Exact match, ignoring case."`
	AsOf      time.Time `json:"as_of,omitzero" desc:"What was true at this time; default: now."`
	Limit     int       `json:"limit,omitempty" desc:"How many at most." default:"10" min:"1" max:"100"`
}

type tripleOutput struct {
	ID            string    `json:"id"`
	Subject       string    `json:"subject"`
	Predicate     string    `json:"predicate"`
	Object        string    `json:"object"`
	Category      string    `json:"category"`
	Confidence    float64   `json:"confidence"`
	Source        string    `json:"source,omitempty"`
	MultiValued   bool      `json:"multi_valued"`
	ValidFrom     time.Time `json:"valid_from,omitzero"`
	ValidUntil    time.Time `json:"valid_until,omitzero"`
	SupersededBy  string    `json:"superseded_by,omitempty"`
	Confirmations int       `json:"confirmations"`
	CreatedAt     time.Time `json:"created_at"`
}

func tripleOutputOf(r memory.Record) tripleOutput {
	out := tripleOutput{
		ID: r.ID, Category: r.Category, ValidFrom: r.ValidFrom, ValidUntil: r.ValidUntil, SupersededBy: r.SupersededBy,
		Confirmations: r.Confirmations, CreatedAt: r.CreatedAt,
	}
	if t := r.Triple; t != nil {
		out.Subject, out.Predicate, out.Object = t.Subject, t.Predicate, t.Object
		out.Confidence, out.Source, out.MultiValued = t.Confidence, t.Origin, t.Multi
	}
	return out
}

func (s Services) queryTriples(ctx context.Context, scope memory.Scope, in queryTriplesInput) (*listOutput[tripleOutput], string, error) {
	found, total, err := s.Cognition.Triples(ctx, scope,
		cognition.TripleQuery{Subject: in.Subject, Predicate: in.Predicate, Object: in.Object, AsOf: in.AsOf, Limit: in.Limit})
	if err != nil {
		return nil, "", err
	}
	headings := []string{"SUBJECT", "PREDICATE", "CONFIDENCE", "FROM", "UNTIL", "OBJECT"}
	out, text := listOf(found, total, tripleOutputOf, "triple", headings, func(one tripleOutput) []string {
		return []string{memory.OneLine(one.Subject, 40), memory.OneLine(one.Predicate, 40), short(one.Confidence), minute(one.ValidFrom),
			minute(one.ValidUntil), memory.OneLine(one.Object, 80)}
	})
	return out, text, nil
}
