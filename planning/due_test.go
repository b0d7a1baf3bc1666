package planning_test

import (
	"testing"
	"time"

	"mcp-memory/planning"
)

func TestDueIn(t *testing.T) {
	written := time.Date(2026, 11, 22, 13, 0, 0, 0, time.FixedZone("", -5*3600)) // a Sunday
	for text, want := range map[string]string{
		"Call the dentist":                           "",
		"Call the dentist on 1 December":             "2026-12-01",
		"Send the invoice by Friday":                 "2026-11-27",
		"Send the invoice before Friday":             "2026-11-26",
		"Water the ferns tomorrow":                   "2026-11-23",
		"Water the ferns today":                      "2026-11-22",
		"Water the ferns on Sunday":                  "2026-11-22",
		"Order oil next week":                        "2026-11-29",
		"Order oil in 3 days":                        "2026-11-25",
		"Close the books by the end of the month":    "2026-11-30",
		"Renew the passport by 2027-03-01":           "2027-03-01",
		"File taxes until March 15":                  "2027-03-15",
		"Answer yesterday's mail":                    "",
		"Answer the mail of last Friday":             "",
		"Pay the March invoice by 15 December":       "2026-12-15",
		"Meet Ben 2026-12-01 15:04":                  "2026-12-01 15:04",
		"Write up what we did in May 2024":           "",
		"Move the service from port 8080 to 2 hosts": "",
		"Book a room in May":                         "2027-05-31",
	} {
		got := planning.DueIn(text, written)
		shown := got.Format(time.DateOnly)
		switch {
		case got.IsZero():
			shown = ""
		case got.Hour()+got.Minute() > 0:
			shown = got.In(written.Location()).Format("2006-01-02 15:04")
		case got.Location() != time.UTC:
			t.Errorf("%q is due at %v, want a date in UTC", text, got)
		}
		if shown != want {
			t.Errorf("%q is due %q, want %q", text, shown, want)
		}
	}
	if !planning.SameTimes("Call Ben tomorrow", "Ring Ben Tomorrow") || planning.SameTimes("Call Ben tomorrow", "Call Ben on Friday") ||
		planning.SameTimes("Call Ben", "Call Ben on Friday") {
		t.Error("texts that name the same times are not told from others")
	}
}
