package recall

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// overviewPart names the part of a score that a turn gains or loses in an overview.
const overviewPart = "overview"

const (
	// againFactor is what is left of a turn's strength for each better one of its
	// session: an overview is as good as what it covers.
	againFactor = 0.92
	// laterLoss is how much less the last of a day's turns counts than the first, as
	// a negative exponent of e: what talk is about is said at its beginning, and the
	// rest goes into it.
	laterLoss = 0.6
)

// Requests for an overview of what was said, a summary or an order of things, by what
// they begin with. English only, like all framing.
var (
	overviewOpening = regexp.MustCompile(`(?i)^\s*(please )?((can|could|would|will) you (please )?)?` +
		`((give|provide|show|write|make|tell) (me )?(with )?(an?|the) ([a-z]+ ){0,2}(summary|overview|recap|timeline) (of|about|on)` +
		`|summari[sz]e|sum up|recap` +
		`|(list|give me|show me|tell me|walk me through) (in order|in (what|which) order|the order (in which|of|how))` +
		`|in (what|which) order did)\b` +
		`( (how|what|everything))?( (i|we) (have )?(brought|bring) up)?( (the )?(different|various|several|main) (aspects|parts|points|sides|things|topics)( of| about)?)?`)
	overTime = regexp.MustCompile(`(?i)^\s*how (has|have|did) .*\bover (time|(the )?((last|past) )?((few|several) )?(days|weeks|months|years))\b`)
)

// longestRequest is the length in bytes of the longest question that is matched with these: what is
// longer is pasted, and takes milliseconds.
const longestRequest = 512

// Phrases by which a question says where something was said ("across all our conversations"), and how
// to answer ("in order", "mention only five").
var (
	whereSaid = regexp.MustCompile(`(?i),?\s*\b(across|throughout|through|during|over|in) (all (of )?)?(our|my|these|those) ([a-z]+ )?(conversations?|discussions?|sessions?|chats?)\b`)
	inOrder   = regexp.MustCompile(`(?i),?\s+in order\s*([.,;?!]|$)`)
	howMuch   = regexp.MustCompile(`(?i)([.?!])\s*(mention|list|name|give) only\b[^.?!]*[.?!]*\s*$`)
)

// requested reports whether a question to conversations asks for an overview ("Summarise how ..."), and
// returns it without the words that ask for that, or say where it was said and how to answer. A
// question that has no other words is returned as it is.
func requested(text string) (overview bool, rest string) {
	if len(text) > longestRequest {
		return false, text
	}
	rest = overviewOpening.ReplaceAllString(text, "")
	overview = rest != text || overTime.MatchString(text)
	rest = howMuch.ReplaceAllString(rest, "$1")
	rest = whereSaid.ReplaceAllString(rest, "")
	rest = inOrder.ReplaceAllString(rest, "$1")
	if len(analysis.Content(rest)) == 0 {
		return overview, text
	}
	return overview, strings.TrimSpace(rest)
}

// spread changes the scores of turns for an overview, so that it covers much: turns early in a day
// gain, and each further turn of a session loses. The best keeps its strength. Turns below the
// request's MinScore have been cut before.
func (q question) spread(ranked []*candidate, day func(time.Time) string) {
	var said []*candidate
	for _, c := range ranked {
		if c.Corpus == memory.Conversations {
			said = append(said, c)
		}
	}
	if !q.overview || len(said) == 0 {
		return
	}
	worth, best := map[*candidate]float64{}, 0.0
	for c, place := range placesInDay(said, day) {
		worth[c] = c.strength() * math.Exp(-laterLoss*place)
		best = max(best, c.strength())
	}
	slices.SortStableFunc(said, func(a, b *candidate) int { return cmp.Compare(worth[b], worth[a]) })
	if best <= 0 {
		return
	}
	scale, shown := best/worth[said[0]], map[string]int{}
	for _, c := range said {
		c.add(overviewPart, worth[c]*scale*math.Pow(againFactor, float64(shown[c.Session]))-c.strength())
		shown[c.Session]++
	}
	rank(ranked)
}

// placesInDay returns how late each turn is among those of its day, 0 for the first to
// 1 for the last.
func placesInDay(said []*candidate, day func(time.Time) string) map[*candidate]float64 {
	days := map[string][]*candidate{}
	for _, c := range said {
		name := day(c.EventTime())
		days[name] = append(days[name], c)
	}
	places := make(map[*candidate]float64, len(said))
	for _, list := range days {
		for place, i := range byTime(list) {
			places[list[i]] = float64(place) / float64(max(1, len(list)-1))
		}
	}
	return places
}
