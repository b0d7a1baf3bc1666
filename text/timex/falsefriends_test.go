package timex_test

import (
	"testing"

	"mcp-memory/text/timex"
)

func TestFalseFriends(t *testing.T) {
	for _, text := range []string{
		"may I ask", "May I ask", "you may go", "you may 2 times", "this may be wrong", "it may not work", "step 7 may fail",
		"clients MAY retry", "they march on", "a march for peace", "march 20 miles", "-march=native",
		"wait a second", "in a second", "the second one", "just a sec", "the sun is up", "she sat down", "sat scores", "SAT",
		"wed her", "mar the surface", "dec 10 hex"[:3], "version 2.0.23", "v2023", "go1.26", "2.0.2023.1", "$2023", "€2000", "$20.23",
		"port 8080", "port 2049", "localhost:2023", "the Q3 card", "Q4_K_M", "call 555 1234", "call 555-2023", "+1 2023 555",
		"2023 records", "in 2023 records", "of 2000 people", "10.0.20.23", "192.168.1.1", "1/2", "16/9", "3-5", "7:30",
		"error 2019", "issue #2023", "line 2020", "in 1850", "in 3000", "between 2000 and 3000 tokens", "from 2000 to 2050 users",
		"may_fail", "docs/march/x", "sun.misc.Unsafe", "std::second", "@april", "April said hi", "August is her name", "June",
		"fall asleep", "Spring Boot", "in Spring Boot", "spring onions", "the 30s timeout", "in the 30s timeout", "the last 2023 entries",
		"2023-13-45", "Feb 30, 2023", "99/99/2023", "2023-05-07-11-22", "deadbeef-2023-4abc", "last time", "last name", "next step",
		"next second", "this one", "the last word", "days", "a few days", "3 hours", "in months", "mid", "early bird", "the end of it",
		"between you and me", "from here to there", "since then", "before and after", "until it works", "half of it", "a day", "ago",
		"week", "the week", "one day", "day 3", "quarter", "year", "new year", "in 5 minutes of work", "500000 years ago", "",
		"\xff\xfe", "2023年5月7日", "1,999", "of 1,999", "2000%", "by 2000%", "2023px", "mayday", "Decl", "augustus", "monday.com",
	} {
		if got := timex.Find(text, now); len(got) != 0 {
			t.Errorf("%q: found %+v, want nothing", text, got)
		}
	}
}
