package main

import (
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/render"
	"mcp-memory/text/timex"
	"mcp-memory/tools"
)

// zone is the user's: that of the setting time.zone, else the system's.
func (p *Program) zone() *time.Location {
	if set, err := p.settings.zone("time.zone"); err == nil && set != nil {
		return set
	}
	return p.Clock().Location()
}

// words says times and results by the user's clocks.
func (p *Program) words() render.Words {
	return render.Words{Clock: func() time.Time { return p.Clock().In(p.zone()) }}
}

// local shows a moment by the user's clocks; what is a day and nothing more, as one.
func (p *Program) local(t time.Time) string { return p.words().Moment(t) }

// age says how long ago something was, or in how long it will be.
func (p *Program) age(t time.Time) string { return p.words().Age(t) }

// whenForms is what a person may type for a time.
const whenForms = "such as yesterday, last tuesday, tomorrow 9am, in 2 weeks, 2026-03-01 or 2026-03-01 14:30"

// when reads a time as a person types it: by words or in figures, in the user's zone
// unless it has one. [memory.CodeInvalidArgument] for what is none.
func (p *Program) when(name, text string) (time.Time, error) {
	now := p.Clock().In(p.zone())
	if at, err := tools.ParseTime(name, text); err == nil {
		if zoneless(text) {
			at = timex.InZone(at, now.Location())
		}
		return at, nil
	}
	if at, ok, err := tools.Spoken(name, text, now); ok || err != nil {
		return at, err
	}
	return time.Time{}, memory.Errorf(memory.CodeInvalidArgument, "%s is %q, which is not a time", name, visible(text)).WithHint(whenForms)
}

// zoneless reports whether a time in figures says no zone: after the date there is
// neither a Z nor an offset.
func zoneless(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) <= len(time.DateOnly) || !strings.ContainsAny(text[len(time.DateOnly):], "Zz+-")
}

// days is what tools take as days.
var days = []string{"date", "since", "until"}

// timeArgument turns what was typed for a time or a day into what tools take.
func (p *Program) timeArgument(a tools.Argument, typed string) (string, error) {
	isDay := a.Format == "" && slices.Contains(days, a.Name)
	if !isDay && a.Format != "date-time" || strings.TrimSpace(typed) == "" {
		return typed, nil
	}
	if isDay {
		at, err := p.when(a.Name, typed)
		if err != nil {
			return "", err
		}
		return at.In(p.zone()).Format(time.DateOnly), nil
	}
	at, err := p.moment(a.Name, typed)
	if err != nil {
		return "", err
	}
	return at.Format(time.RFC3339Nano), nil
}

// inOwnZone has what comes again come by the user's clocks, unless he named others. A system
// whose zone has no name of its own says nothing.
func (p *Program) inOwnZone(call map[string]any, arguments []tools.Argument) {
	takes := slices.ContainsFunc(arguments, func(a tools.Argument) bool { return a.Name == timeZone })
	if _, named := call[timeZone]; !takes || named {
		return
	}
	if zone := p.zone().String(); zone != time.Local.String() {
		call[timeZone] = zone
	}
}

const timeZone = "time_zone"

// saidOfTimes is what the help says of arguments whose times count by other clocks here
// than where a program calls the tool.
var saidOfTimes = map[string]string{
	"starts_at": "When it begins; without an offset by your clocks",
	timeZone:    "IANA name such as Europe/Berlin: recurring events keep their local time in it. Default your own",
}

// moment is when for the times of memories and plans: a day of the user's, where no
// hour was said, is a date of no zone, so that what happened that day at no known hour
// is in it.
func (p *Program) moment(name, typed string) (time.Time, error) {
	said, err := p.when(name, typed)
	if err != nil {
		return time.Time{}, err
	}
	if date := tools.Dated(name, said.In(p.zone())); memory.DateOnly(date) {
		return date, nil
	}
	return said, nil
}
