package when

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Of what comes again in the sets of dates nearly all is read on its days, and of what does
// not, nothing. (24 of 30 and 1 of 338 when it was measured first, before anything was mended.)
func TestHabitsOfTheSets(t *testing.T) {
	const leastRight, mostInvented = 0.93, 0.005
	files, err := filepath.Glob("../../eval/sets/judgement/dates/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	habits, right, others, invented := 0, 0, 0, 0
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for lines := json.NewDecoder(f); ; {
			var line struct{ Content, Recurs string }
			if err := lines.Decode(&line); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			read := Habits(line.Content)
			switch {
			case strings.Contains(line.Recurs, "DAILY"): // of every day nothing is told
			case line.Recurs != "":
				if habits++; sameDays(read, line.Recurs) {
					right++
				} else {
					t.Logf("%s: %q is read as %+v", line.Recurs, line.Content, read)
				}
			default:
				if others++; len(read) > 0 {
					invented++
					t.Logf("%q comes again: %+v", line.Content, read)
				}
			}
		}
	}
	t.Logf("read %d of %d, invented %d of %d", right, habits, invented, others)
	if float64(right) < leastRight*float64(habits) || float64(invented) > mostInvented*float64(others) {
		t.Errorf("read %d of %d, at least %.0f %%; invented %d of %d, at most %.0f %%", right, habits, 100*leastRight, invented, others,
			100*mostInvented)
	}
}

// sameDays reports whether habits come on the days of a recurrence rule (RFC 5545) of a week,
// of whatever interval, or of a month, and on no other day of a year.
func sameDays(habits []Habit, rule string) bool {
	part := map[string]string{}
	for p := range strings.SplitSeq(rule, ";") {
		key, value, _ := strings.Cut(p, "=")
		part[key] = value
	}
	names := []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}
	for day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() == 2026; day = day.AddDate(0, 0, 1) {
		name := names[day.Weekday()]
		want := part["BYMONTHDAY"] == strconv.Itoa(day.Day())
		for by := range strings.SplitSeq(part["BYDAY"], ",") {
			nth, last := (day.Day()+6)/7, day.AddDate(0, 0, 7).Month() != day.Month()
			want = want || by == name || by == strconv.Itoa(nth)+name || last && by == "-1"+name
		}
		if slices.ContainsFunc(habits, func(h Habit) bool { return h.On(day) }) != want {
			return false
		}
	}
	return true
}
