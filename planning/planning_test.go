package planning_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/db/sqlite"
	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/test/backend"
)

const agent = "anna"

type desk struct {
	*planning.Service
	now   time.Time
	path  string
	store memory.Store
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	d := &desk{now: at("2026-03-01T12:00:00Z"), path: filepath.Join(t.TempDir(), "bank.db")}
	d.open(t)
	return d
}

// open opens the store, again if it was closed.
func (d *desk) open(t testing.TB) {
	t.Helper()
	clock := func() time.Time { return d.now }
	store, err := backend.Open(t.Context(), d.path, sqlite.Options{Embedder: memory.Fingerprint{Model: "test", Dimensions: 8}, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	d.store = store
	d.Service = planning.New(planning.Options{Store: store, Clock: clock, IDs: memory.NewIDs(clock)})
}

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t
}

func (d *desk) todo(t testing.TB, r planning.TodoRequest) memory.Todo {
	t.Helper()
	todo, err := d.AddTodo(t.Context(), memory.Scope{Agent: agent}, r)
	if err != nil {
		t.Fatal(err)
	}
	return todo
}

func (d *desk) event(t testing.TB, r planning.EventRequest) memory.CalendarEvent {
	t.Helper()
	e, err := d.AddEvent(t.Context(), agent, r)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// starts are the starts in UTC, as day and time.
func (d *desk) starts(t testing.TB, from, to string) []string {
	t.Helper()
	found, _, err := d.Calendar(t.Context(), agent, at(from), at(to), "")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, o := range found {
		out = append(out, o.Start.Format("01-02 15:04"))
	}
	return out
}

func wantCode(t *testing.T, err error, code memory.Code, mentions string) {
	t.Helper()
	if memory.CodeOf(err) != code || !strings.Contains(err.Error(), mentions) {
		t.Errorf("error %v, want %s that mentions %q", err, code, mentions)
	}
}

func TestTodosSurviveRestartsInOrderOfUrgency(t *testing.T) {
	d := newDesk(t)
	d.todo(t, planning.TodoRequest{Title: "water the plants"})
	d.todo(t, planning.TodoRequest{Title: "pay rent", Priority: memory.PriorityUrgent, DueAt: at("2026-03-05T00:00:00Z")})
	d.todo(t, planning.TodoRequest{Title: "file tax", Priority: memory.PriorityUrgent, DueAt: at("2026-03-03T00:00:00Z")})
	d.todo(t, planning.TodoRequest{Title: "read a book", Priority: memory.PriorityLow, DueAt: at("2026-03-02T00:00:00Z")})
	d.store.Close()
	d.open(t)
	todos, total, err := d.Todos(t.Context(), agent, memory.TodoFilter{Status: memory.TodoPending}, 3)
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, one := range todos {
		titles = append(titles, one.Title)
	}
	if want := []string{"file tax", "pay rent", "water the plants"}; !slices.Equal(titles, want) || total != 4 {
		t.Errorf("to-dos %q of %d, want %q of 4", titles, total, want)
	}
}

func TestCompletingTwiceIsAConflict(t *testing.T) {
	d := newDesk(t)
	todo := d.todo(t, planning.TodoRequest{Title: "pay rent"})
	done, err := d.CompleteTodo(t.Context(), agent, todo.ID)
	if err != nil || !done.CompletedAt.Equal(d.now) {
		t.Fatalf("completed %v, %v", done.CompletedAt, err)
	}
	d.now = d.now.Add(time.Hour)
	_, err = d.CompleteTodo(t.Context(), agent, todo.ID)
	wantCode(t, err, memory.CodeConflict, "2026-03-01T12:00:00Z")
	completed, _, err := d.Todos(t.Context(), agent, memory.TodoFilter{Status: memory.TodoCompleted}, 10)
	if err != nil || len(completed) != 1 || !completed[0].CompletedAt.Equal(done.CompletedAt) {
		t.Errorf("completed to-dos %+v, %v", completed, err)
	}
	_, err = d.CompleteTodo(t.Context(), "boris", todo.ID)
	wantCode(t, err, memory.CodeNotFound, todo.ID)
}

func TestBadTodos(t *testing.T) {
	d := newDesk(t)
	for name, r := range map[string]planning.TodoRequest{
		"title":    {Title: "  "},
		"priority": {Title: "x", Priority: "asap"},
	} {
		_, err := d.AddTodo(t.Context(), memory.Scope{Agent: agent}, r)
		wantCode(t, err, memory.CodeInvalidArgument, name)
	}
	if _, total, err := d.Todos(t.Context(), agent, memory.TodoFilter{Status: memory.TodoAll}, 10); total != 0 || err != nil {
		t.Errorf("%d to-dos, %v", total, err)
	}
}

func TestRecurringEventsKeepTheirLocalTime(t *testing.T) {
	d := newDesk(t)
	// Clocks in Berlin go forward on 29 March 2026 and back on 25 October.
	d.event(t, planning.EventRequest{Title: "stand-up", StartsAt: at("2026-03-27T08:00:00Z"), TimeZone: "Europe/Berlin",
		Recurrence: "FREQ=DAILY"})
	want := []string{"03-28 08:00", "03-29 07:00", "03-30 07:00"}
	if got := d.starts(t, "2026-03-28T00:00:00Z", "2026-03-31T00:00:00Z"); !slices.Equal(got, want) {
		t.Errorf("spring: %q, want %q", got, want)
	}
	want = []string{"10-24 07:00", "10-25 08:00", "10-26 08:00"}
	if got := d.starts(t, "2026-10-24T00:00:00Z", "2026-10-27T00:00:00Z"); !slices.Equal(got, want) {
		t.Errorf("autumn: %q, want %q", got, want)
	}
}

// RFC 5545 takes the offset before the gap for what the clocks skip, and the
// first of two moments that they show twice; other days are as they were.
func TestTimesThatTheClockSkipsOrShowsTwice(t *testing.T) {
	for _, c := range []struct {
		start, zone, rule, from string
		want                    []string
	}{
		{"2026-03-28T01:30:00Z", "Europe/Berlin", "FREQ=DAILY;COUNT=3", "2026-03-01T00:00:00Z",
			[]string{"03-28 01:30", "03-29 01:30", "03-30 00:30"}},
		{"2026-03-07T07:30:00Z", "America/New_York", "FREQ=DAILY;COUNT=3", "2026-03-01T00:00:00Z",
			[]string{"03-07 07:30", "03-08 07:30", "03-09 06:30"}},
		{"2026-10-24T00:30:00Z", "Europe/Berlin", "FREQ=DAILY;COUNT=3", "2026-10-01T00:00:00Z",
			[]string{"10-24 00:30", "10-25 00:30", "10-26 01:30"}},
		{"2026-10-31T05:30:00Z", "America/New_York", "FREQ=DAILY;COUNT=3", "2026-10-01T00:00:00Z",
			[]string{"10-31 05:30", "11-01 05:30", "11-02 06:30"}},
		{"2026-10-25T01:30:00Z", "Europe/Berlin", "FREQ=DAILY;COUNT=2", "2026-10-25T01:00:00Z",
			[]string{"10-25 01:30", "10-26 01:30"}}, // begins at the second of the two
		{"2026-03-29T00:30:00Z", "Europe/Berlin", "FREQ=HOURLY;COUNT=4", "2026-03-01T00:00:00Z",
			[]string{"03-29 00:30", "03-29 01:30", "03-29 02:30"}},
		{"2020-01-05T01:30:00Z", "Europe/Berlin", "FREQ=WEEKLY;COUNT=400", "2026-04-10T00:00:00Z",
			[]string{"04-12 00:30", "04-19 00:30"}}, // worked out from about the gap
		{"2026-03-24T01:30:00Z", "Europe/Berlin", "FREQ=WEEKLY;BYDAY=SU;COUNT=3", "2026-03-01T00:00:00Z",
			[]string{"03-29 01:30", "04-05 00:30", "04-12 00:30"}},
	} {
		d := newDesk(t)
		d.event(t, planning.EventRequest{Title: "backup", StartsAt: at(c.start), TimeZone: c.zone, Recurrence: c.rule})
		until := at(c.from).AddDate(0, 0, 60)
		got := d.starts(t, c.from, until.Format(time.RFC3339))
		if got = got[:min(len(got), len(c.want))]; !slices.Equal(got, c.want) {
			t.Errorf("%s from %s in %s: %q, want %q", c.rule, c.start, c.zone, got, c.want)
		}
	}
}

// TestCount: a rule that counts comes as often as it says, from wherever one
// looks, and whatever was removed does not come again later.
func TestCount(t *testing.T) {
	for _, c := range []struct {
		rule        string
		count       int
		first, last string
	}{
		{"FREQ=DAILY;COUNT=1", 1, "2026-03-01T22:00:00Z", "2026-03-01T22:00:00Z"},
		{"FREQ=DAILY;COUNT=5", 5, "2026-03-01T22:00:00Z", "2026-03-05T22:00:00Z"},
		{"COUNT=3;FREQ=HOURLY;INTERVAL=6", 3, "2026-03-01T22:00:00Z", "2026-03-02T10:00:00Z"},
		{"FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=5", 5, "2026-03-09T22:00:00Z", "2026-04-06T22:00:00Z"},
		{"FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3", 3, "2026-03-31T22:00:00Z", "2026-07-31T22:00:00Z"},
		{"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=2", 2, "2028-02-29T22:00:00Z", "2032-02-29T22:00:00Z"},
	} {
		d := newDesk(t)
		e := d.event(t, planning.EventRequest{Title: "dose", StartsAt: at("2026-03-01T22:00:00Z"), Recurrence: c.rule})
		find := func(from, to time.Time) []planning.Occurrence {
			found, more, err := d.Calendar(t.Context(), agent, from, to, "")
			if err != nil || more {
				t.Fatal(more, err)
			}
			return found
		}
		all := find(at("2026-01-01T00:00:00Z"), at("2036-01-01T00:00:00Z"))
		if len(all) != c.count || !all[0].Start.Equal(at(c.first)) || !all[len(all)-1].Start.Equal(at(c.last)) {
			t.Errorf("%s: %d times, %+v", c.rule, len(all), all)
		}
		last := at(c.last)
		if n := len(find(last, last.Add(time.Second))); n != 1 {
			t.Errorf("%s: %d times at its last", c.rule, n)
		}
		if later := find(last.Add(time.Second), last.AddDate(5, 0, 0)); len(later) != 0 {
			t.Errorf("%s: after its last %+v", c.rule, later)
		}
		if _, _, err := d.RemoveEvent(t.Context(), agent, e.ID, last); err != nil {
			t.Fatal(err)
		}
		if n := len(find(at("2026-01-01T00:00:00Z"), at("2036-01-01T00:00:00Z"))); n != c.count-1 {
			t.Errorf("%s: %d times without its last", c.rule, n)
		}
	}
}

// TestMostOccurrences: an event may come 10,000 times, whether that is counted or
// follows from its end.
func TestMostOccurrences(t *testing.T) {
	start := at("2026-03-01T22:00:00Z")
	until := func(hours int) string {
		return "FREQ=HOURLY;UNTIL=" + start.Add(time.Duration(hours)*time.Hour).Format("20060102T150405Z")
	}
	for rule, fits := range map[string]bool{"FREQ=HOURLY;COUNT=10000": true, "FREQ=HOURLY;COUNT=10001": false, until(9_999): true,
		until(10_000): false} {
		d := newDesk(t)
		_, err := d.AddEvent(t.Context(), agent, planning.EventRequest{Title: "dose", StartsAt: start, Recurrence: rule})
		if fits != (err == nil) {
			t.Errorf("%s: %v", rule, err)
		}
		if !fits {
			wantCode(t, err, memory.CodeInvalidArgument, "recurrence")
			continue
		}
		end := start.Add(9_998 * time.Hour)
		if got := d.starts(t, end.Format(time.RFC3339), end.AddDate(1, 0, 0).Format(time.RFC3339)); len(got) != 2 {
			t.Errorf("%s ends with %q", rule, got)
		}
	}
}

func TestTheLastDayOfARuleCounts(t *testing.T) {
	for _, c := range []struct {
		rule string
		want []string
	}{
		{"FREQ=DAILY;UNTIL=20260303", []string{"03-01 22:00", "03-02 22:00", "03-03 22:00"}}, // there it is 17:00
		{"FREQ=DAILY;UNTIL=20260303T220000Z", []string{"03-01 22:00", "03-02 22:00", "03-03 22:00"}},
		{"FREQ=DAILY;UNTIL=20260303T165959", []string{"03-01 22:00", "03-02 22:00"}},
	} {
		d := newDesk(t)
		d.event(t, planning.EventRequest{Title: "shift", StartsAt: at("2026-03-01T22:00:00Z"), TimeZone: "America/New_York",
			Recurrence: c.rule})
		if got := d.starts(t, "2026-02-01T00:00:00Z", "2026-04-01T00:00:00Z"); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.rule, got, c.want)
		}
	}
}

// TestFarAheadIsTheSameAsStepByStep compares what is worked out from the middle
// of a series with what is counted from its beginning.
func TestFarAheadIsTheSameAsStepByStep(t *testing.T) {
	rules := []string{
		"FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY",
		"FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", "FREQ=WEEKLY;INTERVAL=3;WKST=SU;BYDAY=SU,SA",
		"FREQ=MONTHLY", "FREQ=MONTHLY;INTERVAL=5", "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
		"FREQ=YEARLY", "FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29",
		"FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "FREQ=DAILY;INTERVAL=4;BYHOUR=9,17", "FREQ=WEEKLY;COUNT=300",
		"FREQ=DAILY;UNTIL=20290101T000000Z",
	}
	for _, start := range []string{"2020-01-31T22:30:00Z", "2020-02-29T08:00:00Z"} {
		for _, text := range rules {
			d := newDesk(t)
			d.event(t, planning.EventRequest{Title: "x", StartsAt: at(start), TimeZone: "America/New_York", Recurrence: text})
			whole, _, err := d.Calendar(t.Context(), agent, at("2020-01-01T00:00:00Z"), at("2022-06-01T00:00:00Z"), "")
			if err != nil {
				t.Fatal(err)
			}
			for _, from := range []string{"2020-09-01T00:00:00Z", "2021-03-14T08:00:00Z", "2022-02-28T00:00:00Z"} {
				var want []time.Time
				for _, o := range whole {
					if !o.Start.Before(at(from)) {
						want = append(want, o.Start)
					}
				}
				found, _, err := d.Calendar(t.Context(), agent, at(from), at("2022-06-01T00:00:00Z"), "")
				if err != nil {
					t.Fatal(err)
				}
				var got []time.Time
				for _, o := range found {
					got = append(got, o.Start)
				}
				if !slices.EqualFunc(got, want, time.Time.Equal) {
					t.Errorf("%s from %s: %v, want %v", text, from, head(got), head(want))
				}
			}
		}
	}
}

func head(times []time.Time) []time.Time { return times[:min(5, len(times))] }

func TestASingleOccurrenceIsRemoved(t *testing.T) {
	d := newDesk(t)
	e := d.event(t, planning.EventRequest{Title: "yoga", StartsAt: at("2026-03-02T18:00:00Z"), EndsAt: at("2026-03-02T19:00:00Z"),
		Recurrence: "RRULE:FREQ=WEEKLY"})
	second := at("2026-03-09T18:00:00Z")
	if _, _, err := d.RemoveEvent(t.Context(), agent, e.ID, second.Add(time.Minute)); memory.CodeOf(err) != memory.CodeInvalidArgument {
		t.Errorf("a time between: %v", err)
	}
	if removed, _, err := d.RemoveEvent(t.Context(), agent, e.ID, second); err != nil || removed != planning.RemovedOccurrence {
		t.Fatalf("removed %q, %v", removed, err)
	}
	_, _, err := d.RemoveEvent(t.Context(), agent, e.ID, second)
	wantCode(t, err, memory.CodeConflict, "2026-03-09T18:00:00Z")
	want := []string{"03-02 18:00", "03-16 18:00"}
	if got := d.starts(t, "2026-03-01T00:00:00Z", "2026-03-20T00:00:00Z"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if removed, _, err := d.RemoveEvent(t.Context(), agent, e.ID, time.Time{}); err != nil || removed != planning.RemovedEvent {
		t.Fatalf("removed %q, %v", removed, err)
	}
	_, _, err = d.RemoveEvent(t.Context(), agent, e.ID, time.Time{})
	wantCode(t, err, memory.CodeNotFound, e.ID)
	if got := d.starts(t, "2026-03-01T00:00:00Z", "2026-03-20T00:00:00Z"); len(got) != 0 {
		t.Errorf("%q are left", got)
	}
}

func TestBadEvents(t *testing.T) {
	d := newDesk(t)
	start := at("2026-03-02T18:00:00Z")
	for name, c := range map[string]struct {
		r        planning.EventRequest
		mentions string
	}{
		"no title":           {planning.EventRequest{StartsAt: start}, "title"},
		"no start":           {planning.EventRequest{Title: "x"}, "starts_at"},
		"end before start":   {planning.EventRequest{Title: "x", StartsAt: start, EndsAt: start.Add(-time.Hour)}, "ends_at"},
		"unknown zone":       {planning.EventRequest{Title: "x", StartsAt: start, TimeZone: "Europe/Atlantis"}, "time_zone"},
		"the machine's zone": {planning.EventRequest{Title: "x", StartsAt: start, TimeZone: "Local"}, "time_zone"},
		"every second":       {planning.EventRequest{Title: "x", StartsAt: start, Recurrence: "FREQ=SECONDLY"}, "more often"},
		"every minute":       {planning.EventRequest{Title: "x", StartsAt: start, Recurrence: "FREQ=MINUTELY;COUNT=5"}, "more often"},
		"minutes of a day":   {planning.EventRequest{Title: "x", StartsAt: start, Recurrence: "FREQ=DAILY;BYMINUTE=0,1,2"}, "more often"},
		"hourly for ever":    {planning.EventRequest{Title: "x", StartsAt: start, Recurrence: "FREQ=HOURLY"}, "never ends"},
		"hourly for long": {planning.EventRequest{Title: "x", StartsAt: start, Recurrence: "FREQ=HOURLY;UNTIL=20900101T000000Z"},
			"too often"},
		"never": {planning.EventRequest{Title: "x", StartsAt: start, Recurrence: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"},
			"never comes"},
		"over before it is": {planning.EventRequest{Title: "x", StartsAt: start, Recurrence: "FREQ=DAILY;UNTIL=20200101T000000Z"},
			"never comes"},
		"a million times": {planning.EventRequest{Title: "x", StartsAt: start, Recurrence: "FREQ=DAILY;COUNT=1000000"}, "COUNT"},
		"no time at all":  {planning.EventRequest{Title: "x", StartsAt: start, Recurrence: "FREQ=DAILY;COUNT=0"}, "COUNT"},
		"no interval":     {planning.EventRequest{Title: "x", StartsAt: start, Recurrence: "FREQ=DAILY;INTERVAL=0"}, "INTERVAL"},
		"interval of ages": {planning.EventRequest{Title: "x", StartsAt: start,
			Recurrence: "FREQ=HOURLY;INTERVAL=9223372036854775807;COUNT=2"}, "INTERVAL"},
		"nonsense":  {planning.EventRequest{Title: "x", StartsAt: start, Recurrence: "every monday"}, "cannot be read"},
		"two lines": {planning.EventRequest{Title: "x", StartsAt: start, Recurrence: "FREQ=DAILY\nEXDATE:20260303"}, "line"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := d.AddEvent(t.Context(), agent, c.r)
			wantCode(t, err, memory.CodeInvalidArgument, c.mentions)
		})
	}
	if got := d.starts(t, "2000-01-01T00:00:00Z", "2100-01-01T00:00:00Z"); len(got) != 0 {
		t.Errorf("%q were kept", got)
	}
	_, _, err := d.Calendar(t.Context(), agent, start, start, "")
	wantCode(t, err, memory.CodeInvalidArgument, "to")
}

func TestCalendarShowsWhatIsGoingOnAndWhatIsAskedFor(t *testing.T) {
	d := newDesk(t)
	d.event(t, planning.EventRequest{Title: "Conference", StartsAt: at("2026-02-28T09:00:00Z"), EndsAt: at("2026-03-02T17:00:00Z"),
		Location: "Oslo"})
	d.event(t, planning.EventRequest{Title: "Dentist", StartsAt: at("2026-03-03T09:00:00Z")})
	d.event(t, planning.EventRequest{Title: "Too late", StartsAt: at("2026-03-20T09:00:00Z")})
	found, more, err := d.Calendar(t.Context(), agent, time.Time{}, time.Time{}, "")
	if err != nil || more || len(found) != 2 || found[0].Title != "Conference" || found[1].Title != "Dentist" {
		t.Errorf("found %+v, %v, %v", found, more, err)
	}
	found, _, err = d.Calendar(t.Context(), agent, time.Time{}, time.Time{}, "oslo conference")
	if err != nil || len(found) != 1 {
		t.Errorf("found %+v, %v", found, err)
	}
}

func BenchmarkCalendar(b *testing.B) {
	d := newDesk(b)
	for i := range 1000 {
		rule := []string{"FREQ=WEEKLY", "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=YEARLY", "FREQ=WEEKLY;BYDAY=MO,WE"}[i%4]
		d.event(b, planning.EventRequest{Title: "x", StartsAt: at("2020-01-01T09:00:00Z").Add(time.Duration(i) * time.Hour),
			TimeZone: "Europe/Berlin", Recurrence: rule})
	}
	for b.Loop() {
		if _, _, err := d.Calendar(b.Context(), agent, at("2026-01-01T00:00:00Z"), at("2027-01-01T00:00:00Z"), ""); err != nil {
			b.Fatal(err)
		}
	}
}

// TestChangeEvent: what is moved takes along the times that were removed, one time becomes an event of its own,
// and both can be taken back, until somebody else changes it.
func TestChangeEvent(t *testing.T) {
	d := newDesk(t)
	start := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	e, err := d.AddEvent(t.Context(), agent, planning.EventRequest{Title: "Review", StartsAt: start, Recurrence: "FREQ=DAILY;COUNT=4"})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.RemoveEvent(t.Context(), agent, e.ID, start.AddDate(0, 0, 1)); err != nil {
		t.Fatal(err)
	}
	starts := func() (all []string) {
		got, _, err := d.Calendar(t.Context(), agent, start, start.AddDate(0, 0, 9), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range got {
			all = append(all, o.Start.Format("2 15:04 ")+o.Title)
		}
		return all
	}
	expect := func(step string, want ...string) {
		t.Helper()
		if got := starts(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", step, got, want)
		}
	}
	before := []string{"2 09:00 Review", "4 09:00 Review", "5 09:00 Review"}
	moved, err := d.ChangeEvent(t.Context(), agent, e.ID, time.Time{},
		planning.EventRequest{Title: "Talk", StartsAt: start.Add(time.Hour), Recurrence: "FREQ=DAILY;COUNT=4"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	expect("moved", "2 10:00 Talk", "4 10:00 Talk", "5 10:00 Talk")
	if err := d.TakeBackEvent(t.Context(), agent, moved); err != nil {
		t.Fatal(err)
	}
	expect("back", before...)
	if err := d.TakeBackEvent(t.Context(), agent, moved); memory.CodeOf(err) != memory.CodeConflict {
		t.Errorf("taken back twice: %v", err)
	}
	one, err := d.ChangeEvent(t.Context(), agent, e.ID, start.AddDate(0, 0, 2),
		planning.EventRequest{Title: "Late", StartsAt: start.AddDate(0, 0, 2).Add(3 * time.Hour)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	expect("one", "2 09:00 Review", "4 12:00 Late", "5 09:00 Review")
	_, again := d.ChangeEvent(t.Context(), agent, e.ID, start.AddDate(0, 0, 2), planning.EventRequest{Title: "x", StartsAt: start}, nil)
	_, daily := d.ChangeEvent(t.Context(), agent, e.ID, start,
		planning.EventRequest{Title: "x", StartsAt: start, Recurrence: "FREQ=DAILY"}, nil)
	refused := memory.Errorf(memory.CodeConflict, "not now")
	_, checked := d.ChangeEvent(t.Context(), agent, e.ID, time.Time{}, planning.EventRequest{Title: "x", StartsAt: start},
		func(memory.CalendarEvent) error { return refused })
	_, unknown := d.ChangeEvent(t.Context(), "somebody else", e.ID, time.Time{}, planning.EventRequest{Title: "x", StartsAt: start}, nil)
	for err, want := range map[error]memory.Code{again: memory.CodeConflict, daily: memory.CodeInvalidArgument,
		checked: memory.CodeConflict, unknown: memory.CodeNotFound} {
		if memory.CodeOf(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := d.TakeBackEvent(t.Context(), agent, one); err != nil {
		t.Fatal(err)
	}
	expect("one, back", before...)
	_, gone, err := d.RemoveEvent(t.Context(), agent, e.ID, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	expect("gone")
	if err := d.TakeBackEvent(t.Context(), agent, gone); err != nil {
		t.Fatal(err)
	}
	expect("gone, back", before...)
}
