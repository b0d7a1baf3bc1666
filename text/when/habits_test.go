package when

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestHabits(t *testing.T) {
	// 2026-11-28 is a Saturday; each text says on which of the days from then on it comes
	// first, "" for none within a week.
	for text, want := range map[string]string{
		"We deploy every Tuesday at 10:00.":                          "2026-12-01",
		"The bins are collected every second Thursday.":              "2026-12-03",
		"Football is on Mondays.":                                    "2026-11-30",
		"Standup: each weekday at 9.":                                "2026-11-30",
		"I call my mother every Sunday and Wednesday.":               "2026-11-29",
		"Rent is due on the first of each month.":                    "2026-12-01",
		"The backup runs on the 3rd of every month.":                 "2026-12-03",
		"Salaries are paid on the last day of the month.":            "2026-11-30",
		"The retro is on the first Wednesday of each month.":         "2026-12-02",
		"Book club meets on the last Monday of the month.":           "2026-11-30",
		"Ana's birthday is on 3 December.":                           "2026-12-03",
		"Our anniversary: December 2nd.":                             "2026-12-02",
		"Jeden Dienstag ist Chorprobe.":                              "2026-12-01",
		"Tous les mardis, je vais à la piscine.":                     "2026-12-01",
		"Todos los jueves voy al mercado.":                           "2026-12-03",
		"At weekends I bake.":                                        "2026-11-28",
		"The plumber comes on Tuesday.":                              "",
		"Every morning I run.":                                       "",
		"Ana's birthday is on 3 July.":                               "",
		"It broke three Fridays ago.":                                "",
		"We met on the first day of the sprint.":                     "",
		"A month later, on Tuesday, he left.":                        "",
		"The 45th of every month":                                    "",
		"I have read every word; on Tuesday I write.":                "",
		"Each of them knows the way. On Friday the office is closed": "",
	} {
		from := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
		var first time.Time
		for _, h := range Habits(text) {
			if day, comes := h.Next(from, from.AddDate(0, 0, 7)); comes && (first.IsZero() || day.Before(first)) {
				first = day
			}
		}
		got := ""
		if !first.IsZero() {
			got = first.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A habit says nothing of a time that is longer than it takes to come again.
func TestHabitsOfLongTimes(t *testing.T) {
	from := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	for text, days := range map[string]int{"We deploy every Tuesday.": 8, "Rent is due on the first of each month.": 32,
		"Ana's birthday is on 3 December.": 100} {
		h := Habits(text)
		if len(h) != 1 {
			t.Fatalf("%q: %v", text, h)
		}
		for _, c := range []struct {
			days int
			want bool
		}{{days, true}, {days + 1, false}} {
			if _, comes := h[0].Next(from, from.AddDate(0, 0, c.days)); comes != c.want {
				t.Errorf("%q in %d days: %v", text, c.days, comes)
			}
		}
	}
}

// Whatever a text is, its habits come on days that exist, and are found by days.
func TestAnyHabits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"every", "each", "tuesday", "fridays", "first", "last", "of", "the", "month",
			"31st", "birthday", "february", "30", ".", "é", "jeden", "dienstag", "\xff"}), 0, 12).Draw(t, "words")
		text := ""
		for _, w := range words {
			text += w + " "
		}
		from := time.Date(2026, time.Month(rapid.IntRange(1, 12).Draw(t, "month")), rapid.IntRange(1, 31).Draw(t, "day"), 0, 0, 0,
			0, time.UTC)
		for _, h := range Habits(text) {
			if day, comes := h.Next(from, from.AddDate(0, 0, 7)); comes &&
				(!h.On(day) || day.Before(from) || !day.Before(from.AddDate(0, 0, 7))) {
				t.Fatalf("%q: %v on %v", text, h, day)
			}
		}
	})
}
