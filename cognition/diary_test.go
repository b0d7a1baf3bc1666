package cognition_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcp-memory/cognition"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

func (m *mind) write(r cognition.DiaryRequest) cognition.Saved {
	m.t.Helper()
	saved, err := m.WriteDiary(m.t.Context(), anna, r)
	if err != nil {
		m.t.Fatal(err)
	}
	return saved
}

// dates returns those of the entries that a query finds, and how many there are.
func (m *mind) dates(q cognition.DiaryQuery) (dates []string, total int) {
	m.t.Helper()
	found, total, err := m.Diary(m.t.Context(), "anna", q)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, r := range found {
		dates = append(dates, r.Diary.Date)
	}
	return dates, total
}

func TestDiaryHasOneEntryADate(t *testing.T) {
	m := newMind(t)
	first := m.write(cognition.DiaryRequest{Content: " Met Boris. ", Mood: ptr("calm"), Data: json.RawMessage(`{"steps":7}`)})
	want(t, []any{first.Action, first.Diary.Date, first.Content, first.OccurredAt.Equal(day("2026-03-01"))},
		[]any{remember.Created, "2026-03-01", "Met Boris.", true})
	if again := m.write(cognition.DiaryRequest{Content: "Met Boris."}); again.ID != first.ID || again.Action != remember.Duplicate {
		t.Errorf("again %+v", again)
	}
	m.later()
	second := m.write(cognition.DiaryRequest{Content: "Slept badly.", Location: ptr("Oslo")})
	if d := second.Diary; second.Action != remember.Superseded || second.Content != "Met Boris.\n\nSlept badly." || d.Mood != "calm" ||
		d.Location != "Oslo" || string(d.Data) != `{"steps":7}` {
		t.Errorf("second %+v %+v", second, d)
	}
	if was := m.history(second.ID)[0]; !second.ValidFrom.Equal(m.now) || !second.OccurredAt.Equal(day("2026-03-01")) ||
		!was.ValidUntil.Equal(m.now) {
		t.Errorf("the first was true until %v, the second from %v", was.ValidUntil, second.ValidFrom)
	}
	if again := m.write(cognition.DiaryRequest{Content: "Slept badly."}); again.ID != second.ID || again.Action != remember.Duplicate {
		t.Errorf("again %+v", again)
	}
	if mood := m.write(cognition.DiaryRequest{Content: "Slept badly.", Mood: ptr("tired")}); mood.Content != second.Content ||
		mood.Diary.Mood != "tired" || mood.Action != remember.Superseded {
		t.Errorf("mood %+v", mood)
	}
	m.later()
	third := m.write(cognition.DiaryRequest{Content: "A day like any other.", Replace: true})
	want(t, []any{third.Content, third.Diary.Mood}, []any{"A day like any other.", "tired"})
	entries, total, err := m.Diary(t.Context(), "anna", cognition.DiaryQuery{})
	if err != nil || total != 1 || entries[0].ID != third.ID {
		t.Errorf("entries %+v, %d, %v", entries, total, err)
	}
	if chain := m.history(third.ID); len(chain) != 4 || chain[0].Content != "Met Boris." || chain[1].Diary.Mood != "calm" {
		t.Errorf("history %+v", chain)
	}
	// The same words on another day are another entry, and today moves on.
	m.now = day("2026-03-02").Add(23*time.Hour + 59*time.Minute)
	if next := m.write(cognition.DiaryRequest{Content: "A day like any other."}); next.Action != remember.Created ||
		next.Diary.Date != "2026-03-02" {
		t.Errorf("next %+v", next)
	}
	if _, total, _ := m.Diary(t.Context(), "boris", cognition.DiaryQuery{}); total != 0 {
		t.Errorf("boris has %d", total)
	}
}

func TestDiaryIsRead(t *testing.T) {
	m := newMind(t)
	for date, text := range map[string]string{
		"2026-01-31": "Planted three trees with Carla.", "2026-02-01": "The trees are planted; CARLA left.",
		"2026-02-02": "東京に行きました", "2025-12-24": "Sang carols.",
	} {
		m.write(cognition.DiaryRequest{Content: text, Date: date, Location: ptr("Graz")})
	}
	for _, c := range []struct {
		q     cognition.DiaryQuery
		dates string
		total int
	}{
		{cognition.DiaryQuery{}, "[2026-02-02 2026-02-01 2026-01-31 2025-12-24]", 4},
		{cognition.DiaryQuery{Limit: 2}, "[2026-02-02 2026-02-01]", 4},
		{cognition.DiaryQuery{Date: "2026-01-31"}, "[2026-01-31]", 1},
		{cognition.DiaryQuery{Date: "2026-01-30"}, "[]", 0},
		{cognition.DiaryQuery{Since: "2026-01-31", Until: "2026-02-01"}, "[2026-02-01 2026-01-31]", 2},
		{cognition.DiaryQuery{Since: "2026-02-02"}, "[2026-02-02]", 1},
		{cognition.DiaryQuery{Until: "2025-12-24"}, "[2025-12-24]", 1},
		{cognition.DiaryQuery{Words: "carla"}, "[2026-02-01 2026-01-31]", 2},
		{cognition.DiaryQuery{Words: "carla", Limit: 1}, "[2026-02-01]", 2},
		{cognition.DiaryQuery{Words: "Tree, three!"}, "[2026-01-31]", 1},
		{cognition.DiaryQuery{Words: "car"}, "[]", 0},
		{cognition.DiaryQuery{Words: "carla boris"}, "[]", 0},
		{cognition.DiaryQuery{Words: "graz", Since: "2026-02-01"}, "[2026-02-02 2026-02-01]", 2},
		{cognition.DiaryQuery{Words: "東京"}, "[2026-02-02]", 1},
		{cognition.DiaryQuery{Words: "?!"}, "[]", 0},
	} {
		if dates, total := m.dates(c.q); fmt.Sprint(dates) != c.dates || total != c.total {
			t.Errorf("%+v: %v of %d", c.q, dates, total)
		}
	}
	if found := m.found("When did I plant trees?", memory.KindDiary); len(found) == 0 {
		t.Error("a recall does not find the diary")
	}
}

func TestDiaryOfAThousandDays(t *testing.T) {
	m := newMind(t)
	for i := range 1000 {
		m.write(cognition.DiaryRequest{Content: fmt.Sprintf("Day number%d passed.", i), Date: day("2020-01-01").AddDate(0, 0, i).
			Format(time.DateOnly)})
	}
	for _, i := range []int{0, 1, 500, 999} {
		if dates, total := m.dates(cognition.DiaryQuery{Words: fmt.Sprintf("number%d", i), Limit: 10}); total != 1 ||
			dates[0] != day("2020-01-01").AddDate(0, 0, i).Format(time.DateOnly) {
			t.Errorf("number%d: %v of %d", i, dates, total)
		}
	}
	if dates, total := m.dates(cognition.DiaryQuery{Words: "passed", Limit: 3}); total != 1000 || dates[0] != "2022-09-26" {
		t.Errorf("%v of %d", dates, total)
	}
}

func TestDiaryRefuses(t *testing.T) {
	m := newMind(t)
	for _, date := range []string{"2026-13-01", "2026-02-30", "today", "2026-3-1", "2026-03-01T00:00:00Z", "0000-03-01", " "} {
		_, err := m.WriteDiary(t.Context(), anna, cognition.DiaryRequest{Content: "x", Date: date})
		wantError(t, err, memory.CodeInvalidArgument, "date")
		for name, q := range map[string]cognition.DiaryQuery{"date": {Date: date}, "since": {Since: date}, "until": {Until: date}} {
			_, _, err := m.Diary(t.Context(), "anna", q)
			wantError(t, err, memory.CodeInvalidArgument, name)
		}
	}
	for mentions, r := range map[string]cognition.DiaryRequest{
		"content": {Content: " "}, "data": {Content: "x", Data: json.RawMessage(`[1]`)}, "mood": {Content: "x", Mood: ptr("a\x00")},
	} {
		_, err := m.WriteDiary(t.Context(), anna, r)
		wantError(t, err, memory.CodeInvalidArgument, mentions)
	}
	_, _, err := m.Diary(t.Context(), "anna", cognition.DiaryQuery{Since: "2026-02-01", Until: "2026-01-31"})
	wantError(t, err, memory.CodeInvalidArgument, "until")
	_, _, err = m.Diary(t.Context(), "anna", cognition.DiaryQuery{Date: "2026-02-01", Until: "2026-01-31"})
	wantError(t, err, memory.CodeInvalidArgument, "date")

	m.write(cognition.DiaryRequest{Content: strings.Repeat("x", 30<<10)})
	_, err = m.WriteDiary(t.Context(), anna, cognition.DiaryRequest{Content: strings.Repeat("y", 3<<10)})
	wantError(t, err, memory.CodeTooLarge, "entry of 2026-03-01")
	if n := m.counted(); n != 1 {
		t.Errorf("%d records", n)
	}
}
