package extractive

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"mcp-memory/text/analysis"
	"mcp-memory/text/lazyregexp"
	"mcp-memory/text/timex"
)

// tongue is a language of which expressions of time are written as dates.
type tongue struct {
	words  map[string]bool // by which it is told from the others
	months []string
	// day, week, month and year are how a date is written where it stands for
	// itself, and behind "since" and the like: %d is the day, %s the month, %d the
	// year.
	forms map[byte][2]string
	// times are expressions; the first group, if it took part, is "since" or the
	// like, the second a number.
	times []foreignTime
}

// foreignTime is an expression and how far it is from today, in days (d), weeks,
// months or years.
type foreignTime struct {
	pattern func() *regexp.Regexp
	unit    byte
	shift   int // 0: minus the number that the expression has
}

func timeIn(pattern string, unit byte, shift int) foreignTime {
	return foreignTime{lazyregexp.New(`(?i)(^|[\s,;(])` + pattern + `($|[\s,.;:!)])`), unit, shift}
}

var tongues = []tongue{
	{set("ich wir der die das und nicht ist bin habe haben mit für ein eine bei seit wohne arbeite meine mein uns auf im am um zu"),
		strings.Fields("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
		map[byte][2]string{'d': {"am %d. %s %d", "dem %d. %s %d"}, 'w': {"in der Woche vom %d. %s %d", "der Woche vom %d. %s %d"}, 'm': {"im %s %d", "%s %d"}, 'y': {"%d", "%d"}},
		[]foreignTime{
			timeIn(`(seit |ab )?vorgestern()`, 'd', -2), timeIn(`(seit |ab )?gestern()`, 'd', -1), timeIn(`(seit |ab )?heute()`, 'd', 0), timeIn(`(seit |ab )?übermorgen()`, 'd', 2),
			timeIn(`(seit |ab )?(?:letzte[rn]?|vorige[rn]?) Woche()`, 'w', -1), timeIn(`(seit |ab )?nächste[rn]? Woche()`, 'w', 1),
			timeIn(`(seit |ab )?(?:letzte[mn]|vorige[mn]) Monat()`, 'm', -1), timeIn(`(seit |ab )?nächste[mn] Monat()`, 'm', 1),
			timeIn(`(seit |ab )?(?:letzte[ms]|letzten|vorige[ms]) Jahr()`, 'y', -1), timeIn(`(seit |ab )?nächste[ms] Jahr()`, 'y', 1),
			timeIn(`()vor (\d{1,2}) Jahren`, 'y', 0),
		}},
	{set("je j'ai nous le la les des est et une pour avec mon ma mes que chez depuis dans au du sur pas on il elle"),
		strings.Fields("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
		map[byte][2]string{'d': {"le %d %s %d", "le %d %s %d"}, 'w': {"la semaine du %d %s %d", "la semaine du %d %s %d"}, 'm': {"en %s %d", "%s %d"}, 'y': {"en %d", "%d"}},
		[]foreignTime{
			timeIn(`(depuis |dès )?avant-hier()`, 'd', -2), timeIn(`(depuis |dès )?hier()`, 'd', -1), timeIn(`(depuis |dès )?aujourd'hui()`, 'd', 0), timeIn(`(depuis |dès )?demain()`, 'd', 1),
			timeIn(`(depuis |dès )?la semaine dernière()`, 'w', -1), timeIn(`(depuis |dès )?la semaine prochaine()`, 'w', 1),
			timeIn(`(depuis |dès )?le mois dernier()`, 'm', -1), timeIn(`(depuis |dès )?le mois prochain()`, 'm', 1),
			timeIn(`(depuis |dès )?l'an(?:née)? derni(?:ère|er)()`, 'y', -1), timeIn(`(depuis |dès )?l'an(?:née)? prochaine?()`, 'y', 1),
			timeIn(`()il y a (\d{1,2}) ans`, 'y', 0),
		}},
	{set("yo el los las del una con mi mis soy es está tengo para por pero que en vivo trabajo hemos he nos me lo"),
		strings.Fields("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
		map[byte][2]string{'d': {"el %d de %s de %d", "el %d de %s de %d"}, 'w': {"la semana del %d de %s de %d", "la semana del %d de %s de %d"}, 'm': {"en %s de %d", "%s de %d"}, 'y': {"en %d", "%d"}},
		[]foreignTime{
			timeIn(`(desde )?anteayer()`, 'd', -2), timeIn(`(desde )?ayer()`, 'd', -1), timeIn(`(desde )?hoy()`, 'd', 0),
			timeIn(`(desde )?la semana pasada()`, 'w', -1), timeIn(`(desde )?la (?:próxima semana|semana que viene)()`, 'w', 1),
			timeIn(`(desde )?el mes pasado()`, 'm', -1), timeIn(`(desde )?el (?:próximo mes|mes que viene)()`, 'm', 1),
			timeIn(`(desde )?el año pasado()`, 'y', -1), timeIn(`(desde )?el (?:próximo año|año que viene)()`, 'y', 1),
			timeIn(`()hace (\d{1,2}) años`, 'y', 0),
		}},
	{set("io sono il lo gli di che con mio mia ho abbiamo della nel alla per una un abito lavoro non anche da"),
		strings.Fields("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
		map[byte][2]string{'d': {"in data %d %s %d", "%d %s %d"}, 'w': {"la settimana del %d %s %d", "la settimana del %d %s %d"}, 'm': {"nel mese di %s %d", "%s %d"}, 'y': {"nel %d", "%d"}},
		[]foreignTime{
			timeIn(`(da )?ieri()`, 'd', -1), timeIn(`(da )?oggi()`, 'd', 0), timeIn(`(da )?domani()`, 'd', 1),
			timeIn(`(dal)?la (?:scorsa settimana|settimana scorsa)()`, 'w', -1), timeIn(`(dal)?la (?:prossima settimana|settimana prossima)()`, 'w', 1),
			timeIn(`()il mese scorso()`, 'm', -1), timeIn(`()il (?:mese prossimo|prossimo mese)()`, 'm', 1),
			timeIn(`()l'anno scorso()`, 'y', -1), timeIn(`()l'anno prossimo()`, 'y', 1), timeIn(`()(\d{1,2}) anni fa`, 'y', 0),
		}},
}

// foreignDates writes the times of a sentence in one of the tongues as dates in
// that tongue: "seit letzter Woche" becomes "seit der Woche vom 27. April 2026".
// A sentence in any other stays as it is.
func foreignDates(text string, said time.Time) string {
	if said.IsZero() {
		return text
	}
	var best *tongue
	most := 0
	words := analysis.Words(straighten.Replace(text))
	for i := range tongues {
		n := 0
		for _, w := range words {
			if tongues[i].words[w] {
				n++
			}
		}
		if n > most {
			best, most = &tongues[i], n
		}
	}
	if best == nil {
		return text
	}
	for _, f := range best.times {
		at := f.pattern().FindStringSubmatchIndex(text)
		if at == nil {
			continue
		}
		from, to := at[3], at[len(at)-2] // between what stands around it
		since, number := "", ""
		if at[4] >= 0 {
			since = text[at[4]:at[5]]
		}
		if at[6] >= 0 {
			number = text[at[6]:at[7]]
		}
		written := best.write(f, since, number, timex.OnWall(said))
		if from == 0 || strings.HasSuffix(strings.TrimSpace(text[:from]), ".") {
			written = capital(written)
		}
		text = text[:from] + written + text[to:]
	}
	return text
}

// write returns the date of an expression.
func (l *tongue) write(f foreignTime, since, number string, said time.Time) string {
	shift, form := f.shift, l.forms[f.unit][0]
	if n, err := strconv.Atoi(number); err == nil {
		shift = -n
	}
	if since != "" {
		form = since + l.forms[f.unit][1] // "dal" and "la" are one word
	}
	at := said
	switch f.unit {
	case 'd':
		at = said.AddDate(0, 0, shift)
	case 'w':
		at = said.AddDate(0, 0, 7*shift-(int(said.Weekday())+6)%7)
	case 'm':
		at = time.Date(said.Year(), said.Month()+time.Month(shift), 1, 0, 0, 0, 0, time.UTC)
		return fmt.Sprintf(form, l.months[at.Month()-1], at.Year())
	case 'y':
		return fmt.Sprintf(form, said.Year()+shift)
	}
	return fmt.Sprintf(form, at.Day(), l.months[at.Month()-1], at.Year())
}
