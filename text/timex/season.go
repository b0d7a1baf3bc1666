package timex

import "time"

type season int8

const (
	noSeason season = iota
	spring
	summer
	autumn
	winter
)

// of returns the season that begins in the year y. Winter begins in December.
func (s season) of(y int) interval {
	from := date(y, time.Month(3*int(s)), 1)
	return interval{from, from.AddDate(0, 3, 0), Season}
}

// season reads "summer 2023", "summer of last year" and, after a cue, "the
// summer": the latest one that has begun.
func (p *parser) season(i int) (phrase, bool) {
	s := p.lexAt(i).season
	if y, n, ok := p.yearPart(i + 1); ok {
		if z, ok := p.yearNumber(n+1, false); ok && s == winter && z == y+1 && p.isMark(n, '-') {
			n += 2 // "winter 2021-2022"
		}
		return phrase{interval: s.of(y), next: n, dated: true}, true
	}
	if !seasonCues[p.cueWord(i)] || framework[p.lexAt(i+1).word] ||
		s == autumn && p.is(i, "fall") && !p.is(i-1, "the") && !p.is(i-1, "early") && !p.is(i-1, "late") {
		return phrase{}, false
	}
	v := s.of(p.now.Year())
	if v.from.After(p.now) {
		v = s.of(p.now.Year() - 1)
	}
	return phrase{interval: v, next: i + 1}, true
}

// seasonFrom returns the last season s that is over, that of this year, or the
// next one. "This winter" in January and February began last year.
func (p *parser) seasonFrom(s season, st step) interval {
	y := p.now.Year()
	if s == winter && st == this && p.now.Month() <= time.February {
		y--
	}
	return choose(st, y, dayAt(p.now), s.of)
}

// cueWord returns the word before i. An article or a dash between them is
// skipped.
func (p *parser) cueWord(i int) string {
	i--
	if p.lexAt(i).owner {
		i--
	}
	if p.isMark(i, '-') {
		i--
	}
	return p.lexAt(i).word
}

var seasonCues = map[string]bool{
	"in": true, "during": true, "over": true, "since": true, "before": true, "after": true, "until": true, "by": true,
	"of": true, "throughout": true, "early": true, "mid": true, "late": true, "till": true,
}

// framework are words after "Spring" where it is the name of software.
var framework = map[string]bool{"boot": true, "framework": true, "security": true, "cloud": true, "mvc": true}

// holiday reads "Christmas", "Christmas 2022", "New Year's Eve". Without a year
// it is the latest one that is not after today.
func (p *parser) holiday(i int) (phrase, bool) {
	if !p.lexAt(i).holiday {
		return phrase{}, false
	}
	for _, h := range holidays {
		n := i
		for n-i < len(h.words) && p.is(n, h.words[n-i]) {
			n++
		}
		if n-i < len(h.words) || h.words[0] == "new" && !p.capital(i) && len(h.words) < 3 {
			continue
		}
		if y, end, ok := p.yearPart(n); ok {
			return p.dateOf(time.Month(h.month), h.day, y, true, end)
		}
		return p.dateOf(time.Month(h.month), h.day, 0, false, n)
	}
	return phrase{}, false
}
