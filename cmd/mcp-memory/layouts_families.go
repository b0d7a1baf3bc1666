package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/cmd/mcp-memory/screen"
	"mcp-memory/memory"
)

// showing returns a function that shows a tool's text.
func (p *Program) showing(s screen.Screen, text string) func() error {
	return func() error { return p.show(strings.Join(s.Wrap(visible(text)), "\n"), s) }
}

// showingBlocks returns a function that shows blocks, and below them how many more there are.
func (p *Program) showingBlocks(s screen.Screen, blocks []screen.Block, below string) func() error {
	text := s.Show(blocks)
	if below != "" {
		text += "\n\n" + strings.Join(s.Wrap(below), "\n")
	}
	return func() error { return p.show(text, s) }
}

// shownOf says how many of all things a list shows, "" if it shows all.
func shownOf(shown, all int, things string) string {
	if shown >= all {
		return ""
	}
	return fmt.Sprintf("%d of %d %s.", shown, all, things)
}

// layMemories shows the memories that a tool lists.
func layMemories(p *Program, cmd *cobra.Command, a *app, result json.RawMessage, text string) (func() error, error) {
	var answer struct {
		Items []struct {
			ID      string
			History []struct {
				Changed    []string
				RecordedAt time.Time `json:"recorded_at"`
			}
		}
		Total int
	}
	s := p.screen()
	if err := json.Unmarshal(result, &answer); err != nil || len(answer.Items) == 0 {
		return p.showing(s, text), err
	}
	var ids []string
	for _, one := range answer.Items {
		ids = append(ids, one.ID)
	}
	records, short, err := a.recordsAndShortIDs(cmd.Context(), ids)
	if err != nil {
		return nil, err
	}
	blocks := make([]screen.Block, len(ids))
	for i, one := range answer.Items {
		r := records[one.ID]
		blocks[i] = p.recordBlock(r, short, p.notesOf(r)...)
		for _, v := range one.History {
			what := "met"
			if len(v.Changed) > 0 {
				what = "changed " + strings.Join(v.Changed, ", ")
			}
			blocks[i].Below = append(blocks[i].Below, p.local(v.RecordedAt)+" "+what)
		}
	}
	return p.showingBlocks(s, blocks, shownOf(len(ids), answer.Total, "memories")), nil
}

// notesOf returns the notes in lists that only some kinds of memories have.
func (p *Program) notesOf(r memory.Record) (notes []string) {
	switch {
	case r.Soul != nil:
		notes = append(notes, string(r.Soul.Type))
	case r.Learning != nil:
		notes = append(notes, string(r.Learning.Type), visible(r.Learning.Tool))
	case r.Relationship != nil:
		notes = append(notes, "met "+counted(r.Relationship.Interactions, "time", "times"),
			"the last time "+p.local(r.Relationship.LastInteraction))
	case r.Triple != nil && r.Triple.Confidence < 1:
		notes = append(notes, fmt.Sprintf("confidence %g", r.Triple.Confidence))
	}
	return notes
}

// layTodos shows to-dos, and marks overdue ones.
func layTodos(p *Program, cmd *cobra.Command, a *app, result json.RawMessage, text string) (func() error, error) {
	var answer struct {
		Items []struct {
			ID, Project, Title, Description, Priority string
			DueAt                                     time.Time `json:"due_at"`
			CompletedAt                               time.Time `json:"completed_at"`
		}
		Total int
	}
	s := p.screen()
	if err := json.Unmarshal(result, &answer); err != nil || len(answer.Items) == 0 {
		return p.showing(s, text), err
	}
	var ids []string
	for _, one := range answer.Items {
		ids = append(ids, one.ID)
	}
	short, err := a.shortIDs(cmd.Context(), memory.IDsOfTodos, ids)
	if err != nil {
		return nil, err
	}
	blocks := make([]screen.Block, len(ids))
	for i, one := range answer.Items {
		blocks[i] = screen.Block{Text: visibleName(one.Title), Notes: []string{short[one.ID], one.Priority}}
		if one.Project != "" {
			blocks[i].Notes = append(blocks[i].Notes, visibleName(one.Project))
		}
		if one.Description != "" {
			blocks[i].Below = []string{visible(one.Description)}
		}
		if !one.DueAt.IsZero() {
			blocks[i].Notes = append(blocks[i].Notes, "due "+p.local(one.DueAt), p.age(one.DueAt))
		}
		switch {
		case !one.CompletedAt.IsZero():
			blocks[i].Marks = []string{"done " + p.local(one.CompletedAt)}
		case !one.DueAt.IsZero() && p.overdue(one.DueAt):
			blocks[i].Marks = []string{"overdue"}
		}
	}
	return p.showingBlocks(s, blocks, shownOf(len(ids), answer.Total, "to-dos")), nil
}

// overdue reports whether a due time is over. A date without a time is over at the end of that day
// in the user's zone.
func (p *Program) overdue(due time.Time) bool {
	now := p.Clock()
	if memory.DateOnly(due) {
		return due.UTC().Format(time.DateOnly) < now.In(p.zone()).Format(time.DateOnly)
	}
	return due.Before(now)
}

// event is an event of the calendar, as the tools return it.
type event struct {
	ID, Title, Location, Description string
	StartsAt                         time.Time `json:"starts_at"`
	EndsAt                           time.Time `json:"ends_at"`
	TimeZone                         string    `json:"time_zone"`
	Recurring                        bool
}

// elsewhere returns the time at which an event begins in its own zone, such as "15:04 in
// Europe/Berlin". It is "" if the zone is UTC or shows the same time as the user's.
func (p *Program) elsewhere(e event) string {
	zone, err := time.LoadLocation(e.TimeZone)
	if err != nil || zone == time.UTC {
		return ""
	}
	there, here := e.StartsAt.In(zone).Format("15:04"), e.StartsAt.In(p.zone()).Format("15:04")
	if there == here {
		return ""
	}
	return there + " in " + visible(e.TimeZone)
}

// mostEvents is how many events are shown at most.
const mostEvents = 100

// layEvents shows events in the user's zone.
func layEvents(p *Program, cmd *cobra.Command, a *app, result json.RawMessage, text string) (func() error, error) {
	var answer struct {
		Items     []event
		Total     int
		Truncated bool
	}
	s := p.screen()
	if err := json.Unmarshal(result, &answer); err != nil || len(answer.Items) == 0 {
		return p.showing(s, text), err
	}
	items := answer.Items[:min(len(answer.Items), mostEvents)]
	var ids []string
	for _, one := range items {
		ids = append(ids, one.ID)
	}
	short, err := a.shortIDs(cmd.Context(), memory.IDsOfEvents, ids)
	if err != nil {
		return nil, err
	}
	blocks := make([]screen.Block, len(items))
	for i, one := range items {
		title := one.Title
		if one.Location != "" {
			title += " @ " + one.Location
		}
		at := p.local(one.StartsAt)
		if !one.EndsAt.IsZero() {
			at += " to " + p.local(one.EndsAt)
		}
		again := ""
		if one.Recurring {
			again = "recurring"
		}
		blocks[i] = screen.Block{Text: visibleName(title), Notes: []string{short[one.ID], at, p.elsewhere(one), p.age(one.StartsAt), again}}
		if one.Description != "" {
			blocks[i].Below = []string{visible(one.Description)}
		}
	}
	below := shownOf(len(items), answer.Total, "events")
	if answer.Truncated || below != "" {
		below = strings.TrimSpace(below + "\nThere are more: ask for a shorter time.")
	}
	return p.showingBlocks(s, blocks, below), nil
}

// layAddedEvent says when a new event is, in the user's zone.
func layAddedEvent(p *Program, _ *cobra.Command, _ *app, result json.RawMessage, _ string) (func() error, error) {
	var one event
	if err := json.Unmarshal(result, &one); err != nil {
		return nil, err
	}
	there := p.elsewhere(one)
	if there != "" {
		there = " (" + there + ")"
	}
	at := one.StartsAt.In(p.zone()).Format("2006-01-02 15:04 MST")
	return p.showing(p.screen(), fmt.Sprintf("Put %s into the calendar for %s%s.", one.ID, at, there)), nil
}

// layLinks shows the pending requests, with the times at which they expire.
func layLinks(p *Program, cmd *cobra.Command, a *app, result json.RawMessage, text string) (func() error, error) {
	var answer struct {
		LinkID    string `json:"link_id"`
		Status    memory.LinkStatus
		From, To  string
		ExpiresAt time.Time `json:"expires_at"`
		Pending   []struct {
			LinkID            string `json:"link_id"`
			From, To, Message string
			ExpiresAt         time.Time `json:"expires_at"`
		}
	}
	if err := json.Unmarshal(result, &answer); err != nil {
		return nil, err
	}
	s := p.screen()
	if answer.Status == memory.LinkPending {
		text = fmt.Sprintf("%s is asked to share its memory with %s until %s. [link %s]", answer.From, answer.To, p.local(answer.ExpiresAt),
			answer.LinkID)
	}
	if len(answer.Pending) == 0 {
		return p.showing(s, text), nil
	}
	var ids []string
	for _, one := range answer.Pending {
		ids = append(ids, one.LinkID)
	}
	short, err := a.shortIDs(cmd.Context(), idsOfLinks, ids)
	if err != nil {
		return nil, err
	}
	blocks := make([]screen.Block, len(ids))
	for i, one := range answer.Pending {
		blocks[i] = screen.Block{Text: visible(one.To + " asks " + one.From),
			Notes: []string{short[one.LinkID], "until " + p.local(one.ExpiresAt), p.age(one.ExpiresAt)}}
		if one.Message != "" {
			blocks[i].Below = []string{visible(one.Message)}
		}
	}
	return p.showingBlocks(s, blocks, ""), nil
}
