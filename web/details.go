package web

import (
	"fmt"
	"time"

	"mcp-memory/memory"
	"mcp-memory/web/html"
)

// details shows the fields that only records of this kind have, nil for none.
func (v *visit) details(r memory.Record) html.Node {
	var rows html.List
	row := func(title string, value ...any) { rows = append(rows, html.Dt(title), html.Dd(value...)) }
	words := func(title, value string) {
		if value != "" {
			row(title, html.El("bdi", memory.Shorten(value, 2000)))
		}
	}
	moment := func(title string, t time.Time) {
		if !t.IsZero() {
			row(title, v.when(t))
		}
	}
	var more html.Node
	if d := r.Soul; d != nil {
		words("Sort", string(d.Type))
	}
	if d := r.Triple; d != nil {
		row("Says", html.El("bdi", d.Subject), " · ", html.El("bdi", d.Predicate), " · ", html.El("bdi", d.Object))
		row("Sure", number(d.Confidence))
		words("Known from", d.Origin)
	}
	if d := r.Relationship; d != nil {
		words("Who", d.Party)
		words("Name", d.Name)
		words("Relation", d.Type)
		row("Trust", bar(d.Trust, 1, "trust: "+number(d.Trust)), " ", number(d.Trust))
		words("Tone", d.Tone)
		words("Why", d.Rationale)
		words("Notes", d.Notes)
		row("Met", count(d.Interactions, "time", "times"))
		moment("First met", d.FirstMet)
		moment("Last met", d.LastInteraction)
	}
	if d := r.Diary; d != nil {
		words("Day", d.Date)
		words("Mood", d.Mood)
		words("Place", d.Location)
	}
	if d := r.Learning; d != nil {
		words("Learned from", map[memory.LearningType]string{memory.LearningError: "an error",
			memory.LearningCorrection: "a correction"}[d.Type])
		words("Tool", d.Tool)
		words("When", d.Context)
	}
	if d := r.Procedure; d != nil {
		row("Runs", success(*d))
		moment("Last run", d.LastExecuted)
		more = procedure(*d)
	}
	if d := r.Summary; d != nil {
		words("Summary of", d.Of)
		row("Stands for", count(d.Count, "text", "texts"))
		words("With a view to", d.Focus)
	}
	if len(rows) == 0 {
		return nil
	}
	return html.List{html.Dl(rows), more}
}

// success says how many runs of a procedure succeeded.
func success(d memory.ProcedureDetails) string {
	if d.Executed == 0 {
		return "never run"
	}
	return fmt.Sprintf("%d of %d went well (%.0f %%)", d.Succeeded, d.Executed, 100*d.SuccessRate())
}

// procedure lists the steps of a procedure, with what has to be given before and how to tell
// success.
func procedure(d memory.ProcedureDetails) html.Node {
	var steps html.List
	for _, s := range d.Steps {
		parts := []any{html.El("bdi", s.Action)}
		if s.ExpectedOutcome != "" {
			parts = append(parts, html.P(html.Class("hint"), "Then: ", html.El("bdi", s.ExpectedOutcome)))
		}
		if s.ErrorHandling != "" {
			parts = append(parts, html.P(html.Class("hint"), "If it fails: ", html.El("bdi", s.ErrorHandling)))
		}
		steps = append(steps, html.Li(parts...))
	}
	list := func(title string, texts []string) html.Node {
		var items html.List
		for _, t := range texts {
			items = append(items, html.Li(html.El("bdi", t)))
		}
		if len(items) == 0 {
			return nil
		}
		return html.List{html.P(title), html.Ul(items)}
	}
	return html.List{list("Before:", d.Prerequisites), html.Ol(steps), list("It went well if:", d.SuccessCriteria)}
}
