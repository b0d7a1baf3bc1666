package timex_test

import (
	"testing"
	"time"

	"mcp-memory/text/timex"
)

// now is a Wednesday.
var now = time.Date(2024, 5, 15, 14, 30, 0, 0, time.UTC)

// one is a text with one expression and what it means. Times are written as
// days, or to the second.
type one struct {
	text, found, from, to string
	precision             timex.Precision
}

func parse(t *testing.T, s string) time.Time {
	t.Helper()
	switch s {
	case "earliest":
		return timex.Earliest
	case "latest":
		return timex.Latest
	}
	layout := "2006-01-02 15:04:05"
	at, err := time.Parse(layout[:len(s)], s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func check(t *testing.T, cases []one) {
	t.Helper()
	for _, c := range cases {
		got := timex.Find(c.text, now)
		if len(got) != 1 {
			t.Errorf("%q: found %v, want one", c.text, got)
			continue
		}
		s := got[0]
		if s.Text != c.found || c.text[s.Start:s.End] != s.Text {
			t.Errorf("%q: found %q, want %q", c.text, s.Text, c.found)
		}
		if !s.From.Equal(parse(t, c.from)) || !s.To.Equal(parse(t, c.to)) || s.Precision != c.precision {
			t.Errorf("%q: [%v %v) %v, want [%s %s) %v", c.text, s.From, s.To, s.Precision, c.from, c.to, c.precision)
		}
		if !timex.Mentions(c.text) {
			t.Errorf("%q: not mentioned", c.text)
		}
	}
}

func TestAbsolute(t *testing.T) {
	check(t, []one{
		{"the trip in May 2023 was nice", "May 2023", "2023-05-01", "2023-06-01", timex.Month},
		{"on May 7 we met", "May 7", "2024-05-07", "2024-05-08", timex.Day},
		{"on May 16 we met", "May 16", "2023-05-16", "2023-05-17", timex.Day},
		{"May 7th, 2023", "May 7th, 2023", "2023-05-07", "2023-05-08", timex.Day},
		{"May 7,2023", "May 7,2023", "2023-05-07", "2023-05-08", timex.Day},
		{"7 May 2023", "7 May 2023", "2023-05-07", "2023-05-08", timex.Day},
		{"1:56 pm on 8 May, 2023", "8 May, 2023", "2023-05-08", "2023-05-09", timex.Day},
		{"7 May", "7 May", "2024-05-07", "2024-05-08", timex.Day},
		{"the 7th of May", "7th of May", "2024-05-07", "2024-05-08", timex.Day},
		{"07-May-2023", "07-May-2023", "2023-05-07", "2023-05-08", timex.Day},
		{"Sept. 3, 2022", "Sept. 3, 2022", "2022-09-03", "2022-09-04", timex.Day},
		{"oct 3", "oct 3", "2023-10-03", "2023-10-04", timex.Day},
		{"Feb 29", "Feb 29", "2024-02-29", "2024-03-01", timex.Day},
		{"born in Oct '89.", "Oct '89", "1989-10-01", "1989-11-01", timex.Month},
		{"Monday, May 8, 2023", "Monday, May 8, 2023", "2023-05-08", "2023-05-09", timex.Day},
		{"2023-05-07", "2023-05-07", "2023-05-07", "2023-05-08", timex.Day},
		{"2023/05/07", "2023/05/07", "2023-05-07", "2023-05-08", timex.Day},
		{"05/07/2023", "05/07/2023", "2023-05-07", "2023-05-08", timex.Day},
		{"25/07/2023", "25/07/2023", "2023-07-25", "2023-07-26", timex.Day},
		{"5/7/23", "5/7/23", "2023-05-07", "2023-05-08", timex.Day},
		{"07.05.2023", "07.05.2023", "2023-05-07", "2023-05-08", timex.Day},
		{"report for 2023-05.", "2023-05", "2023-05-01", "2023-06-01", timex.Month},
		{"backup-2023-05-07.tar", "2023-05-07", "2023-05-07", "2023-05-08", timex.Day},
		{"at 2023-05-07T10:11:12Z it", "2023-05-07T10:11:12Z", "2023-05-07 10:11:12", "2023-05-07 10:11:13", timex.Moment},
		{"2023-05-07T10:11:12.345+02:00", "2023-05-07T10:11:12.345+02:00", "2023-05-07 08:11:12", "2023-05-07 08:11:13", timex.Moment},
		{"2023-05-07 10:11", "2023-05-07 10:11", "2023-05-07 10:11:00", "2023-05-07 10:12:00", timex.Moment},
		{"in 2023", "2023", "2023-01-01", "2024-01-01", timex.Year},
		{"the year 2023", "2023", "2023-01-01", "2024-01-01", timex.Year},
		{"the 1990s", "1990s", "1990-01-01", "2000-01-01", timex.Decade},
		{"in the 90s", "90s", "1990-01-01", "2000-01-01", timex.Decade},
		{"the '80s", "'80s", "1980-01-01", "1990-01-01", timex.Decade},
		{"Q3 2024", "Q3 2024", "2024-07-01", "2024-10-01", timex.Season},
		{"2024 Q3", "2024 Q3", "2024-07-01", "2024-10-01", timex.Season},
		{"Q3 of last year", "Q3 of last year", "2023-07-01", "2023-10-01", timex.Season},
		{"in Q3", "Q3", "2023-07-01", "2023-10-01", timex.Season},
		{"H1 2024", "H1 2024", "2024-01-01", "2024-07-01", timex.Season},
		{"third quarter of 2023", "third quarter of 2023", "2023-07-01", "2023-10-01", timex.Season},
		{"second half of 2023", "second half of 2023", "2023-07-02", "2024-01-01", timex.Season},
		{"summer 2022", "summer 2022", "2022-06-01", "2022-09-01", timex.Season},
		{"in the fall of 2022", "fall of 2022", "2022-09-01", "2022-12-01", timex.Season},
		{"during the summer", "summer", "2023-06-01", "2023-09-01", timex.Season},
		{"for Christmas", "Christmas", "2023-12-25", "2023-12-26", timex.Day},
		{"New Year's Eve 2021", "New Year's Eve 2021", "2021-12-31", "2022-01-01", timex.Day},
		{"winter 2021 - 2022", "winter 2021 - 2022", "2021-12-01", "2022-03-01", timex.Season},
		{"the New Year", "New Year", "2024-01-01", "2024-01-02", timex.Day},
		{"on New Year’s Day", "New Year’s Day", "2024-01-01", "2024-01-02", timex.Day},
		{"Valentine's Day", "Valentine's Day", "2024-02-14", "2024-02-15", timex.Day},
	})
}

func TestOpenYear(t *testing.T) {
	check(t, []one{
		{"what did I do in May?", "May", "2024-05-01", "2024-06-01", timex.Month},
		{"in june", "june", "2023-06-01", "2023-07-01", timex.Month},
		{"my June trip", "June", "2023-06-01", "2023-07-01", timex.Month},
		{"in March", "March", "2024-03-01", "2024-04-01", timex.Month},
		{"next May", "next May", "2025-05-01", "2025-06-01", timex.Month},
		{"coming June", "coming June", "2024-06-01", "2024-07-01", timex.Month},
		{"last May", "last May", "2023-05-01", "2023-06-01", timex.Month},
		{"last April", "last April", "2024-04-01", "2024-05-01", timex.Month},
		{"this December", "this December", "2024-12-01", "2025-01-01", timex.Month},
		{"May of last year", "May of last year", "2023-05-01", "2023-06-01", timex.Month},
		{"July 4th last year", "July 4th last year", "2023-07-04", "2023-07-05", timex.Day},
		{"the 15th of last month", "15th of last month", "2024-04-15", "2024-04-16", timex.Day},
	})
}

func TestRelative(t *testing.T) {
	check(t, []one{
		{"today", "today", "2024-05-15", "2024-05-16", timex.Day},
		{"Yesterday's talk", "Yesterday", "2024-05-14", "2024-05-15", timex.Day},
		{"tomorrow", "tomorrow", "2024-05-16", "2024-05-17", timex.Day},
		{"last night", "last night", "2024-05-14 18:00:00", "2024-05-15 06:00:00", timex.Moment},
		{"this morning", "this morning", "2024-05-15", "2024-05-15 12:00:00", timex.Moment},
		{"yesterday evening", "yesterday evening", "2024-05-14 17:00:00", "2024-05-15", timex.Moment},
		{"last week", "last week", "2024-05-06", "2024-05-13", timex.Week},
		{"this week", "this week", "2024-05-13", "2024-05-20", timex.Week},
		{"next week", "next week", "2024-05-20", "2024-05-27", timex.Week},
		{"last weekend", "last weekend", "2024-05-11", "2024-05-13", timex.Week},
		{"this past weekend", "this past weekend", "2024-05-11", "2024-05-13", timex.Week},
		{"this weekend", "this weekend", "2024-05-18", "2024-05-20", timex.Week},
		{"last month", "last month", "2024-04-01", "2024-05-01", timex.Month},
		{"last year", "last year", "2023-01-01", "2024-01-01", timex.Year},
		{"next year's plan", "next year", "2025-01-01", "2026-01-01", timex.Year},
		{"last quarter", "last quarter", "2024-01-01", "2024-04-01", timex.Season},
		{"last summer", "last summer", "2023-06-01", "2023-09-01", timex.Season},
		{"last winter", "last winter", "2023-12-01", "2024-03-01", timex.Season},
		{"this fall", "this fall", "2024-09-01", "2024-12-01", timex.Season},
		{"last Friday", "last Friday", "2024-05-10", "2024-05-11", timex.Day},
		{"last Wednesday", "last Wednesday", "2024-05-08", "2024-05-09", timex.Day},
		{"next Friday", "next Friday", "2024-05-17", "2024-05-18", timex.Day},
		{"this Monday", "this Monday", "2024-05-13", "2024-05-14", timex.Day},
		{"on Friday", "Friday", "2024-05-10", "2024-05-11", timex.Day},
		{"on Tue", "Tue", "2024-05-14", "2024-05-15", timex.Day},
		{"Monday of last week", "Monday of last week", "2024-05-06", "2024-05-07", timex.Day},
		{"last Christmas", "last Christmas", "2023-12-25", "2023-12-26", timex.Day},
		{"next Christmas", "next Christmas", "2024-12-25", "2024-12-26", timex.Day},
		{"earlier this month", "earlier this month", "2024-05-01", "2024-05-16", timex.Month},
		{"the day before yesterday", "day before yesterday", "2024-05-13", "2024-05-14", timex.Day},
		{"the day after tomorrow", "day after tomorrow", "2024-05-17", "2024-05-18", timex.Day},
		{"the week before last", "week before last", "2024-04-29", "2024-05-06", timex.Week},
		{"the other day", "other day", "2024-05-08", "2024-05-15", timex.Day},
		{"the past week", "past week", "2024-05-08", "2024-05-16", timex.Week},
		{"in the last 3 days", "last 3 days", "2024-05-12", "2024-05-16", timex.Day},
		{"over the past few months", "past few months", "2023-12-15", "2024-05-16", timex.Month},
		{"the last 24 hours", "last 24 hours", "2024-05-14 14:30:00", "2024-05-15 14:30:00", timex.Moment},
	})
}

func TestAmounts(t *testing.T) {
	check(t, []one{
		{"two weeks ago", "two weeks ago", "2024-04-28", "2024-05-05", timex.Week},
		{"a few days ago", "a few days ago", "2024-05-10", "2024-05-14", timex.Day},
		{"a couple of months ago", "a couple of months ago", "2024-02-01", "2024-04-01", timex.Month},
		{"2-3 days ago", "2-3 days ago", "2024-05-12", "2024-05-14", timex.Day},
		{"5 years ago", "5 years ago", "2019-01-01", "2020-01-01", timex.Year},
		{"twenty-five years ago", "twenty-five years ago", "1999-01-01", "2000-01-01", timex.Year},
		{"a year and a half ago", "a year and a half ago", "2022-11-01", "2022-12-01", timex.Month},
		{"2.5 years ago", "2.5 years ago", "2021-11-01", "2021-12-01", timex.Month},
		{"half an hour ago", "half an hour ago", "2024-05-15 13:59:30", "2024-05-15 14:00:30", timex.Moment},
		{"3 hours ago", "3 hours ago", "2024-05-15 11:00:00", "2024-05-15 12:00:00", timex.Moment},
		{"5d ago", "5d ago", "2024-05-10", "2024-05-11", timex.Day},
		{"days ago", "days ago", "2024-05-05", "2024-05-14", timex.Day},
		{"in 3 months", "in 3 months", "2024-08-01", "2024-09-01", timex.Month},
		{"in a week", "in a week", "2024-05-19", "2024-05-26", timex.Week},
		{"3 days from now", "3 days from now", "2024-05-18", "2024-05-19", timex.Day},
		{"two days before Christmas", "two days before Christmas", "2023-12-23", "2023-12-24", timex.Day},
	})
}

func TestCombined(t *testing.T) {
	check(t, []one{
		{"since March", "since March", "2024-03-01", "2024-05-16", timex.Month},
		{"since last week", "since last week", "2024-05-06", "2024-05-16", timex.Week},
		{"before June 2023", "before June 2023", "earliest", "2023-06-01", timex.Month},
		{"after 2021", "after 2021", "2022-01-01", "latest", timex.Year},
		{"until May 7", "until May 7", "earliest", "2024-05-08", timex.Day},
		{"between March and May 2023", "between March and May 2023", "2023-03-01", "2023-06-01", timex.Month},
		{"between November and March 2023", "between November and March 2023", "2022-11-01", "2023-04-01", timex.Month},
		{"from 3 to 5 June", "from 3 to 5 June", "2023-06-03", "2023-06-06", timex.Day},
		{"between 3 and 5 June 2022", "between 3 and 5 June 2022", "2022-06-03", "2022-06-06", timex.Day},
		{"June 3-5, 2022", "June 3-5, 2022", "2022-06-03", "2022-06-06", timex.Day},
		{"3–5 June 2022", "3–5 June 2022", "2022-06-03", "2022-06-06", timex.Day},
		{"from 2019 to 2021", "from 2019 to 2021", "2019-01-01", "2022-01-01", timex.Year},
		{"2019-2021", "2019-2021", "2019-01-01", "2022-01-01", timex.Year},
		{"between 2019 and 2021", "between 2019 and 2021", "2019-01-01", "2022-01-01", timex.Year},
		{"from Monday to now", "from Monday to now", "2024-05-13", "2024-05-16", timex.Day},
		{"from 2021 on", "from 2021 on", "2021-01-01", "2024-05-16", timex.Year},
		{"early June 2024", "early June 2024", "2024-06-01", "2024-06-11", timex.Week},
		{"mid-June 2024", "mid-June 2024", "2024-06-11", "2024-06-21", timex.Week},
		{"late last year", "late last year", "2023-09-01", "2024-01-01", timex.Season},
		{"the end of May 2023", "end of May 2023", "2023-05-21", "2023-06-01", timex.Week},
		{"the beginning of the year", "beginning of the year", "2024-01-01", "2024-05-02", timex.Season},
		{"the early 1990s", "early 1990s", "1990-01-01", "1993-05-02", timex.Year},
		{"the week of 12 June", "week of 12 June", "2023-06-12", "2023-06-19", timex.Week},
		{"the week of June 14, 2023", "week of June 14, 2023", "2023-06-12", "2023-06-19", timex.Week},
		{"the weekend of 14 June 2023", "weekend of 14 June 2023", "2023-06-17", "2023-06-19", timex.Week},
		{"the month of May", "month of May", "2024-05-01", "2024-06-01", timex.Month},
		{"the first week of June 2023", "first week of June 2023", "2023-06-01", "2023-06-08", timex.Week},
		{"the last weekend of June 2023", "last weekend of June 2023", "2023-06-24", "2023-06-26", timex.Week},
		{"the sunday before 25 May 2023", "sunday before 25 May 2023", "2023-05-21", "2023-05-22", timex.Day},
		{"The week before 9 June 2023", "week before 9 June 2023", "2023-06-02", "2023-06-09", timex.Week},
	})
}
