package cognition

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/text/analysis"
)

// DiaryRequest is what to write into the entry of a day. Content is needed;
// fields that are nil do not change the entry.
type DiaryRequest struct {
	Content  string
	Date     string // YYYY-MM-DD; empty is today in the user's time zone
	Mood     *string
	Location *string
	Data     json.RawMessage // a JSON object
	Replace  bool            // replace the text instead of adding a paragraph
}

// WriteDiary writes into the entry of a date; each date has one. A changed
// entry supersedes the old one. If nothing changes, the result is a duplicate.
// Errors: [memory.CodeInvalidArgument] for an invalid date or data that is not
// an object, [memory.CodeTooLarge] for an entry over [memory.MaxContentBytes].
func (s *Service) WriteDiary(ctx context.Context, scope memory.Scope, r DiaryRequest) (saved Saved, err error) {
	if err := needed("content", r.Content); err != nil {
		return Saved{}, err
	}
	if r.Date == "" {
		r.Date = s.clock.Here().Format(time.DateOnly)
	}
	day, err := parseDate("date", r.Date)
	if err != nil {
		return Saved{}, err
	}
	err = s.remember.Change(ctx, own(scope), func(c *remember.Change) error {
		found, _, err := c.List(memory.CatalogFilter{Kind: memory.KindDiary, From: r.Date, To: r.Date, Limit: 1})
		if err != nil {
			return err
		}
		var old *memory.Record
		if len(found) > 0 {
			old = &found[0]
		}
		saved, err = r.save(c, day, old)
		return err
	})
	return saved, err
}

func (r DiaryRequest) save(c *remember.Change, day time.Time, old *memory.Record) (Saved, error) {
	content := strings.TrimSpace(r.Content)
	next := memory.DiaryDetails{Date: r.Date}
	request := remember.SaveRequest{Kind: memory.KindDiary, OccurredAt: day}
	action := remember.Created
	if old != nil {
		next = *old.Diary
		if !r.Replace {
			content = appended(old.Content, content)
		}
		// OccurredAt is the day of the entry, but this version is valid from
		// now on only.
		request.Supersedes, request.ValidFrom, action = old.ID, c.Now(), remember.Superseded
		request.Importance, request.Tags, request.Pinned = &old.Importance, old.Tags, old.Pinned
	}
	if r.Mood != nil {
		next.Mood = strings.TrimSpace(*r.Mood)
	}
	if r.Location != nil {
		next.Location = strings.TrimSpace(*r.Location)
	}
	if r.Data != nil {
		next.Data = r.Data
	}
	if old != nil && content == old.Content && sameDay(*old.Diary, next) {
		return Saved{*old, remember.Duplicate}, nil
	}
	if len(content) > memory.MaxContentBytes {
		return Saved{}, memory.Errorf(memory.CodeTooLarge, "the entry of %s would be %d bytes, at most %d are allowed", r.Date,
			len(content), memory.MaxContentBytes).
			WithHint("write less, or set append to false to replace it")
	}
	request.Content, request.Diary = content, &next
	record, err := c.Put(request)
	return Saved{record, action}, err
}

func sameDay(a, b memory.DiaryDetails) bool {
	return a.Mood == b.Mood && a.Location == b.Location && string(a.Data) == string(b.Data)
}

// appended adds text as a paragraph to an entry, unless the entry has that
// paragraph.
func appended(entry, text string) string {
	if strings.Contains("\n\n"+entry+"\n\n", "\n\n"+text+"\n\n") {
		return entry
	}
	return entry + "\n\n" + text
}

func parseDate(name, date string) (time.Time, error) {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil || day.Year() < 1 {
		return day, memory.Errorf(memory.CodeInvalidArgument, "%s %q is not a date", name, memory.Shorten(date, 40)).
			WithHint("YYYY-MM-DD such as 2026-03-01")
	}
	return day, nil
}

// DiaryQuery asks for entries. Empty fields allow everything.
type DiaryQuery struct {
	Date         string // one day; not with Since and Until
	Since, Until string // dates, both inclusive
	Words        string // every word must be in the text, mood or location, in any inflection
	Limit        int    // 0 is no limit
}

// Diary returns entries, the newest date first, and how many match without the
// limit. It returns a [memory.CodeInvalidArgument] for an invalid date or
// range.
func (s *Service) Diary(ctx context.Context, agent string, q DiaryQuery) ([]memory.Record, int, error) {
	if err := q.check(); err != nil {
		return nil, 0, err
	}
	f := memory.CatalogFilter{Agent: agent, Kind: memory.KindDiary, From: q.Since, To: q.Until, Now: s.clock()}
	if q.Date != "" {
		f.From, f.To = q.Date, q.Date
	}
	words := analysis.Words(q.Words)
	if q.Words == "" {
		f.Limit = q.Limit
		return s.store.List(ctx, f)
	}
	all, _, err := s.store.List(ctx, f)
	if err != nil || len(words) == 0 { // a query of punctuation finds nothing
		return nil, 0, err
	}
	found := slices.DeleteFunc(all, func(r memory.Record) bool { return !mentions(r, words) })
	if total := len(found); q.Limit > 0 && total > q.Limit {
		return found[:q.Limit], total, nil
	}
	return found, len(found), nil
}

func (q DiaryQuery) check() error {
	for _, d := range [][2]string{{"date", q.Date}, {"since", q.Since}, {"until", q.Until}} {
		if d[1] == "" {
			continue
		}
		if _, err := parseDate(d[0], d[1]); err != nil {
			return err
		}
	}
	switch {
	case q.Date != "" && (q.Since != "" || q.Until != ""):
		return memory.Errorf(memory.CodeInvalidArgument, "date goes with neither since nor until").WithHint("give one day or a range")
	case q.Since != "" && q.Until != "" && q.Until < q.Since:
		return memory.Errorf(memory.CodeInvalidArgument, "until is before since").WithHint("both dates are included")
	}
	return memory.CheckText("query", q.Words, memory.MaxQueryBytes)
}

// mentions reports whether an entry has every word, in any inflection. A word
// in a script without spaces may be anywhere in the text.
func mentions(r memory.Record, words []string) bool {
	text := r.Content
	if r.Diary != nil {
		text = fmt.Sprintf("%s\n%s\n%s", text, r.Diary.Mood, r.Diary.Location)
	}
	has := map[string]bool{}
	for _, w := range analysis.Words(text) {
		has[w], has[analysis.Stem(w)] = true, true
	}
	folded := strings.ToLower(text)
	for _, w := range words {
		unspaced := strings.ContainsFunc(w, analysis.IsUnspaced)
		if !has[w] && !has[analysis.Stem(w)] && !(unspaced && strings.Contains(folded, w)) {
			return false
		}
	}
	return true
}
