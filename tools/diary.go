package tools

import (
	"context"
	"encoding/json"
	"time"

	"mcp-memory/cognition"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/text/secrets"
)

var (
	writeDiarySpec = Spec{
		Name: "diary_write", Title: "Write the diary", Group: Diary, Effect: Add,
		Description: "Reflect on a day: what happened, what you thought, how you felt. There is one entry a date; writing again adds a paragraph unless append is false.",
	}
	readDiarySpec = Spec{
		Name: "diary_read", Title: "Read the diary", Group: Diary, Effect: Read,
		Description: "Read diary entries, newest first: of a date, of a range of dates, or those that mention all words of a query.",
	}
)

type writeDiaryInput struct {
	Content  string          `json:"content" desc:"The entry, or the paragraph to add." required:"true"`
	Date     string          `json:"date,omitempty" desc:"YYYY-MM-DD; default: today." form:"day"`
	Mood     *string         `json:"mood,omitempty" desc:"How you felt."`
	Location *string         `json:"location,omitempty" desc:"Where you were."`
	Data     json.RawMessage `json:"data,omitempty" desc:"Any object, up to 4 KiB."`
	Append   bool            `json:"append,omitempty" desc:"Add to the day's entry; false replaces its text." default:"true"`
}

// diaryOutput is an entry as the tools show it.
type diaryOutput struct {
	ID        string          `json:"id"`
	Date      string          `json:"date"`
	Content   string          `json:"content"`
	Mood      string          `json:"mood,omitempty"`
	Location  string          `json:"location,omitempty"`
	Data      json.RawMessage `json:"data,omitempty"`
	WrittenAt time.Time       `json:"written_at"`
	FromAgent string          `json:"from_agent,omitempty"`
}

func diaryOutputOf(r memory.Record) diaryOutput {
	out := diaryOutput{ID: r.ID, Content: r.Content, WrittenAt: r.CreatedAt, FromAgent: fromAgent(r)}
	if d := r.Diary; d != nil {
		out.Date, out.Mood, out.Location, out.Data = d.Date, d.Mood, d.Location, d.Data
	}
	return out
}

type writeDiaryOutput struct {
	Action remember.Action `json:"action" enum:"created,superseded,duplicate"`
	diaryOutput
}

func (s Services) writeDiary(ctx context.Context, scope memory.Scope, in writeDiaryInput) (*writeDiaryOutput, string, error) {
	saved, err := s.Cognition.WriteDiary(ctx, scope, cognition.DiaryRequest{
		Content: in.Content, Date: in.Date, Mood: in.Mood, Location: in.Location, Data: in.Data, Replace: !in.Append,
	})
	if err != nil {
		return nil, "", err
	}
	out := writeDiaryOutput{saved.Action, diaryOutputOf(saved.Record)}
	text := "Wrote the entry of " + out.Date + "." + secretText(secrets.In(saved.Record))
	if saved.Action == remember.Duplicate {
		text = "The entry of " + out.Date + " has that already."
	}
	return &out, text, nil
}

type readDiaryInput struct {
	Date  string `json:"date,omitempty" desc:"One day, YYYY-MM-DD." form:"day"`
	Query string `json:"query,omitempty" desc:"Only entries with all of these words."`
	Since string `json:"since,omitempty" desc:"First date, YYYY-MM-DD." form:"day"`
	Until string `json:"until,omitempty" desc:"Last date, included." form:"day"`
	Limit int    `json:"limit,omitempty" desc:"How many at most." default:"10" min:"1" max:"100"`
}

func (s Services) readDiary(ctx context.Context, scope memory.Scope, in readDiaryInput) (*listOutput[diaryOutput], string, error) {
	found, total, err := s.Cognition.Diary(ctx, scope.Agent, cognition.DiaryQuery{
		Date: in.Date, Words: in.Query, Since: in.Since, Until: in.Until, Limit: in.Limit,
	})
	if err != nil {
		return nil, "", err
	}
	out, text := listOf(found, total, diaryOutputOf, "entry", []string{"DATE", "MOOD", "LOCATION", "ENTRY"},
		func(one diaryOutput) []string {
			return []string{one.Date, dash(one.Mood), dash(one.Location), credited(memory.OneLine(one.Content, 120), one.FromAgent)}
		})
	if len(found) == 1 && total == 1 {
		one := out.Items[0]
		text = credited(joined(" · ", one.Date, memory.OneLine(one.Mood, 80), memory.OneLine(one.Location, 80)), one.FromAgent) +
			"\n\n" + one.Content
	}
	return out, text, nil
}
