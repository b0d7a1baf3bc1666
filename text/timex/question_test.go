package timex_test

import (
	"testing"

	"mcp-memory/text/timex"
)

func TestQuestion(t *testing.T) {
	for text, want := range map[string]timex.Kind{
		"When did Caroline go to the support group?":   timex.When,
		"when's my birthday":                           timex.When,
		"do you know when the meeting is":              timex.When,
		"What date did we ship?":                       timex.When,
		"Which year did she move?":                     timex.When,
		"on what day was it":                           timex.When,
		"What time is the call?":                       timex.When,
		"What is the exact date of the release?":       timex.When,
		"What's the date of the wedding?":              timex.When,
		"How long ago was Caroline's 18th birthday?":   timex.When,
		"Since when do we use Go?":                     timex.When,
		"How old is Anna?":                             timex.When,
		"How many days ago did I attend the talk?":     timex.When,
		"How long did it take?":                        timex.HowLong,
		"How long has she been married?":               timex.HowLong,
		"How many weeks between the two trips?":        timex.HowLong,
		"how much time did we spend":                   timex.HowLong,
		"Which came first, the talk or the trip?":      timex.Order,
		"What was the most recent book?":               timex.Order,
		"What is the latest version?":                  timex.Order,
		"Did she move before or after the wedding?":    timex.Order,
		"What was the first issue I had with the car?": timex.Order,
		"In what order did they happen?":               timex.Order,
		"When Anna made tacos?":                        timex.When,
		"list the order in which I did it":             timex.Order,
		"what do I need in order to build":             timex.None,
		"What did she say when we met?":                timex.None,
		"When I was in Paris, what did I eat?":         timex.None,
		"what did we do last week":                     timex.None,
		"what is her last name":                        timex.None,
		"what happened last Friday":                    timex.None,
		"How many times did I fly?":                    timex.None,
		"Which time zone is she in?":                   timex.None,
		"what does she like":                           timex.None,
		"":                                             timex.None,
	} {
		if got := timex.Question(text); got != want {
			t.Errorf("%q asks %v, want %v", text, got, want)
		}
	}
}
