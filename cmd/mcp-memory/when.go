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

// zone returns the user's time zone: that of the setting time.zone, else the system's.
func (p *Program) zone() *time.Location {
	if set, err := p.settings.zone("time.zone"); err == nil && set != nil {
		return set
	}
	return p.Clock().Location()
}

// words renders times and results in the user's zone.
func (p *Program) words() render.Words {
	return render.Words{Clock: func() time.Time { return p.Clock().In(p.zone()) }}
}

// local formats a time in the user's zone. A date without a time stays a date.
func (p *Program) local(t time.Time) string { return p.words().Moment(t) }

// age says how long ago a time was, or how long it is until then.
func (p *Program) age(t time.Time) string { return p.words().Age(t) }

// whenForms are examples of the times that a person may type.
const whenForms = "such as yesterday, last tuesday, tomorrow 9am, in 2 weeks, 2026-03-01 or 2026-03-01 14:30"

// when parses a time as a person types it, in words or figures, in the user's zone unless it names
// one. Text that is no time is [memory.CodeInvalidArgument].
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

// zoneless reports whether a time in figures has no zone: there is neither a Z nor an offset after
// the date.
func zoneless(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) <= len(time.DateOnly) || !strings.ContainsAny(text[len(time.DateOnly):], "Zz+-")
}

// days are the arguments of tools that are dates.
var days = []string{"date", "since", "until"}

// timeArgument converts a typed time or date to the form that tools accept.
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

// inOwnZone sets the argument time_zone to the user's zone, unless it is given. It does nothing if
// the system's zone has no IANA name.
func (p *Program) inOwnZone(call map[string]any, arguments []tools.Argument) {
	takes := slices.ContainsFunc(arguments, func(a tools.Argument) bool { return a.Name == timeZone })
	if _, named := call[timeZone]; !takes || named {
		return
	}
	if zone := p.zone().String(); zone != "Local" {
		call[timeZone] = zone
	}
}

const timeZone = "time_zone"

// saidOfTimes replaces the help of arguments whose times are in the user's zone on the command
// line, but in UTC in a call of the tool.
var saidOfTimes = map[string]string{
	"starts_at": "When it begins; without an offset by your clocks",
	timeZone:    "IANA name such as Europe/Berlin: recurring events keep their local time in it. Default your own",
}

// moment is when for the times of memories and plans. For the arguments that [tools.Dated] knows, a
// day without a time of day becomes a date without a zone, so that it covers the whole day in every
// zone.
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
