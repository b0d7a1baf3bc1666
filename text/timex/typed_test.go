package timex

import (
	"testing"
	"time"
)

func TestTyped(t *testing.T) {
	oslo, err := time.LoadLocation("Europe/Oslo")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 23, 15, 4, 5, 0, oslo) // a Monday
	for _, c := range []struct {
		text         string
		past, future string // "" for no time
	}{
		{"now", "2026-11-23 15:04", "2026-11-23 15:04"},
		{"Yesterday", "2026-11-22 00:00", "2026-11-22 00:00"},
		{"last tuesday", "2026-11-17 00:00", "2026-11-17 00:00"},
		{"tomorrow", "2026-11-24 00:00", "2026-11-24 00:00"},
		{"tomorrow 9am", "2026-11-24 09:00", "2026-11-24 09:00"},
		{"tomorrow at 9:30", "2026-11-24 09:30", "2026-11-24 09:30"},
		{"tomorrow  noon", "2026-11-24 12:00", "2026-11-24 12:00"},
		{"friday", "2026-11-20 00:00", "2026-11-27 00:00"},
		{"on friday at 17:00", "2026-11-20 17:00", "2026-11-27 17:00"},
		{"friday 12am", "2026-11-20 00:00", "2026-11-27 00:00"},
		{"in 2 weeks", "2026-12-07 00:00", "2026-12-07 00:00"},
		{"3 days ago", "2026-11-20 00:00", "2026-11-20 00:00"},
		{"two hours ago", "2026-11-23 13:04", "2026-11-23 13:04"},
		{"in an hour", "2026-11-23 16:04", "2026-11-23 16:04"},
		{"in 3 months", "2027-02-23 00:00", "2027-02-23 00:00"},
		{"9am", "2026-11-23 09:00", "2026-11-24 09:00"},
		{"at 18", "2026-11-22 18:00", "2026-11-23 18:00"},
		{"monday 9am", "2026-11-23 09:00", "2026-11-30 09:00"},
		{"on Mon at 17:00", "2026-11-16 17:00", "2026-11-23 17:00"},
		{"today 9am", "2026-11-23 09:00", "2026-11-23 09:00"},
		{"today 5pm", "2026-11-23 17:00", "2026-11-23 17:00"},
		{"yesterday 9am", "2026-11-22 09:00", "2026-11-22 09:00"},
		{"sat", "2026-11-21 00:00", "2026-11-28 00:00"},
		{"next wed", "2026-11-25 00:00", "2026-11-25 00:00"},
		{"march 3", "2026-03-03 00:00", "2027-03-03 00:00"},
		{"3 March", "2026-03-03 00:00", "2027-03-03 00:00"},
		{"3 May", "2026-05-03 00:00", "2027-05-03 00:00"},
		{"3 may", "2026-05-03 00:00", "2027-05-03 00:00"},
		{"may", "2026-05-01 00:00", "2027-05-01 00:00"},
		{"sep 9", "2026-09-09 00:00", "2027-09-09 00:00"},
		{"9 Sept. 8:15", "2026-09-09 08:15", "2027-09-09 08:15"},
		{"24 december", "2025-12-24 00:00", "2026-12-24 00:00"},
		{"dec 24, 2027", "2027-12-24 00:00", "2027-12-24 00:00"},
		{"24th of december at 18:30", "2025-12-24 18:30", "2026-12-24 18:30"},
		{"23 november", "2026-11-23 00:00", "2026-11-23 00:00"},
		{"november 23 9am", "2026-11-23 09:00", "2027-11-23 09:00"},
		{"29 february", "2024-02-29 00:00", "2028-02-29 00:00"},
		{"christmas", "2025-12-25 00:00", "2026-12-25 00:00"},
		{"may 3 2020", "2020-05-03 00:00", "2020-05-03 00:00"},
		{"2024", "2024-01-01 00:00", "2024-01-01 00:00"},
		{"end of december", "2025-12-31 00:00", "2026-12-31 00:00"},
		{"the end of the month", "", "2026-11-30 00:00"},
		{"by end of next month", "", "2026-12-31 00:00"},
		{"end of november", "", "2026-11-30 00:00"},
		{"end of february", "2026-02-28 00:00", "2027-02-28 00:00"},
		{"end of the year", "", "2026-12-31 00:00"},
		{"end of this week", "", "2026-11-29 00:00"},
		{"end of 2027", "", "2027-12-31 00:00"},
		{"end of may 2020", "2020-05-31 00:00", ""},
		{"beginning of january", "2026-01-01 00:00", "2027-01-01 00:00"},
		{"beginning of this month", "2026-11-01 00:00", ""},
		{"middle of december", "", ""},
		{"end of the meeting", "", ""},
		{"in a fortnight", "2026-12-07 00:00", "2026-12-07 00:00"},
		{"in a couple of weeks", "2026-12-07 00:00", "2026-12-07 00:00"},
		{"last smarch", "", ""},
		{"31 february", "", ""},
		{"30 february 2026", "", ""},
		{"tomorrow 25:00", "", ""},
		{"tomorrow 13pm", "", ""},
		{"yesterday evening 9am", "", ""},
		{"before 2020", "", ""},
		{"2 weeks", "", ""},
		{"9", "", ""},
		{"", "", ""},
		{"the cat sat on the mat yesterday", "", ""},
	} {
		for to, want := range map[Direction]string{Past: c.past, Future: c.future} {
			found, ok := Typed(c.text, now, to)
			got := ""
			if ok {
				got = found.Format("2006-01-02 15:04")
			}
			if got != want {
				t.Errorf("%q, direction %d: %q, want %q", c.text, to, got, want)
			}
		}
	}
	if found, ok := Typed("in a month", time.Date(2026, 1, 31, 8, 0, 0, 0, oslo), Future); !ok || found.Day() != 28 || found.Month() != 2 {
		t.Errorf("a month after the 31st of January: %v", found)
	}
	// The clocks go forward in the night to the 29th of March: 2:30 is not there.
	if found, ok := Typed("tomorrow 2:30", time.Date(2026, 3, 28, 8, 0, 0, 0, oslo), Future); !ok || found.Format("15:04") != "03:30" {
		t.Errorf("a time that the clocks skip: %v", found)
	}
}
