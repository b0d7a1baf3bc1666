package recall

import (
	"slices"
	"sync"
	"time"

	"mcp-memory/text/analysis"
	"mcp-memory/text/when"
)

// Agenda is the time for which a question asks for plans, or what the plans are about that it asks
// for: to-dos and a calendar may have a part of the answer.
type Agenda struct {
	From, To time.Time // inclusive, exclusive; zero for what is to be done at any time
	// About has the stems of what a question is about that asks when something is ("when is the
	// dentist?"); the times are zero then. Nil for whatever is planned.
	About []string
}

// Words that ask for what is in a calendar, and for to-dos.
var (
	calendarWords = []string{
		"calendar", "schedule", "scheduled", "planned", "plans", "appointment", "appointments",
		"meeting", "meetings", "agenda", "free", "busy", "upcoming", "happens", "happening",
		"kalender", "termin", "termine", "geplant", "rendez-vous", "calendrier", "prévu", "prévus",
		"calendario", "citas", "cita", "agenda's", "afspraken", "afspraak", "calendário", "compromissos", "appuntamenti",
	}
	dueWords  = []string{"due", "deadline", "fällig", "frist"}
	todoWords = []string{"todo", "todos", "overdue", "aufgaben", "pendientes", "tareas", "tâches", "tarefas"}
	// havePhrases ask, together with a time, for what somebody has to do then: "what do I have
	// on Friday?"
	havePhrases = [][]string{
		{"to", "do"}, {"i", "have"}, {"we", "have"}, {"have", "i"}, {"have", "we"}, {"i", "do"}, {"we", "do"},
		{"coming", "up"}, {"going", "on"}, {"to", "dos"}, {"zu", "tun"}, {"ich", "habe"}, {"habe", "ich"}, {"haben", "wir"},
	}
)

// agenda returns the time for which a question asks for plans, nil if it asks for none. A narrow
// filter or a raised MinScore asks for memories alone.
func (q question) agenda() *Agenda {
	if q.Filter.Narrow() || q.MinScore > Floor {
		return nil
	}
	words := plainWords(q.Query)
	has := func(list []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
	}
	says := func(phrase []string) bool {
		for i := range words {
			if i+len(phrase) <= len(words) && slices.Equal(words[i:i+len(phrase)], phrase) {
				return true
			}
		}
		return false
	}
	todo := q.asks.Attribute == "due" || has(todoWords) || says([]string{"to", "dos"})
	dated := len(q.times) > 0 && (has([]string{"due", "fällig"}) || has(calendarWords) || slices.ContainsFunc(havePhrases, says))
	switch {
	case len(q.times) > 0 && (todo || dated || q.byTimeAlone()):
		return &Agenda{From: q.times[0].From, To: q.times[0].To}
	case len(q.times) == 0 && (todo || q.asks.Broad && says([]string{"to", "do"})):
		return &Agenda{}
	case len(q.times) == 0 && (q.when || has(calendarWords) || has(dueWords)):
		if about := slices.DeleteFunc(slices.Clone(q.stems), func(stem string) bool { return planStems()[stem] }); len(about) > 0 {
			return &Agenda{About: about}
		}
	}
	return nil
}

// planStems has the stems of words that say that something is planned, not what.
var planStems = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, word := range slices.Concat(calendarWords, todoWords, dueWords, []string{"date", "day", "time", "event", "task"}) {
		for _, stem := range analysis.Content(word) {
			all[stem] = true
		}
	}
	return all
})

// asksRecurring reports whether habits ("yoga every Friday") are part of the answer: where the question
// asks for plans for a time that is not over.
func (q question) asksRecurring() bool {
	if len(q.times) == 0 {
		return false
	}
	a := q.agenda()
	return a != nil && a.To.After(q.moment()) && !when.InPast(q.Query)
}
