package worth

import (
	"strings"

	"mcp-memory/text/analysis"
	"mcp-memory/text/lazyregexp"
)

// Forgetting is what somebody asks to forget.
type Forgetting struct {
	Of    Named
	Named string // its words, "" for what was said last
	Rest  string // what is said before and behind the request
}

// Named is how the thing to be forgotten is named.
type Named int

const (
	Last  Named = iota // "forget that": what was said last
	Own                // "forget my phone number": something of the user's
	About              // "forget everything about Nordwind": all that was said of something
	Fact               // "forget that I live in Trier": what was said
)

// Asking are the words before a request, a regular expression: "ok, could you please".
const Asking = `(?:(?:and|also|but|then|hey|ok(?:ay)?|oh|so|no|wait|sorry|actually|please|pls|just|(?:can|could|would|will) you|bitte)[,.!\s]+)*`

var (
	asksToForget = lazyregexp.New(`(?is)^` + Asking + `(?:forget|vergiss)(?: bitte)? ([^\n,;:.!?–—]+?)(?:,? (?:please|again|now|bitte|wieder))*\s*(?:[\n,;:.!?–—](.*))?$`)
	lastThing    = lazyregexp.New(`(?i)^(?:about )?(?:that|this|it|das|es)$`)
	ownThing     = lazyregexp.New(`(?i)^(?:about )?(?:my|our|meine?n?|unsere?n?) (.+)$`)
	// "What I said about Rome" may be the last sentence alone, and is none.
	toldThing = lazyregexp.New(`(?i)^(?:` +
		`(?:everything|all|anything)(?: that)?(?: (?:i|we)(?: have|'ve)? (?:told you|said|mentioned|wrote)| you know| you have)? about` +
		`|what (?:(?:i|we)(?: have|'ve)? told you|you know) about|alles über|was ich dir (?:über|von)` +
		`|that (?:i|we)(?: have|'ve)?(?: ever)? (?:mentioned|told you about|talked about|brought up)` +
		`) (.+?)(?: (?:gesagt|erzählt|weißt)(?: habe)?)?$`)
	// behindReason finds a request for what was said, which is about the memory wherever it stands.
	behindReason = lazyregexp.New(`(?is)^[^\n]*?[,.;:!–—]\s*((?:(?:and|but|so|please|pls)\s+)*forget (?:(?:what|that|everything|all|anything) (?:that )?(?:i|we)\b|about \S+(?: \S+)?,? please\b))`)
	// politely is "please forget about Ida", which no idiom is.
	politely = lazyregexp.New(`(?i)^` + Asking + `forget about ([A-ZÀ-Þ\d]\S*),? please\b|^(?:(?:ok|and|so|but)[,\s]+)*please forget about ([A-ZÀ-Þ\d][^\s,;:.!?]*)`)
	toldFact = lazyregexp.New(`(?i)^that ((?:i|we|my|our)\b.+)$`)
)

// AsksToForget reads a text that begins with a request to forget something, or has one behind the reason
// for it ("We broke up, please forget what I told you about Ida"); ok is false for any other.
func AsksToForget(text string) (f Forgetting, ok bool) {
	text = strings.TrimSpace(text)
	asked := asksToForget().FindStringSubmatch(text)
	if at := behindReason().FindStringSubmatchIndex(text); asked == nil && at != nil {
		if f.Rest = strings.TrimRight(text[:at[2]], " ,.;:!-–—"); f.Rest != "" {
			f.Rest += ". "
		}
		text = text[at[2]:]
		asked = asksToForget().FindStringSubmatch(text)
	}
	if asked == nil {
		return Forgetting{}, false
	}
	f.Rest = strings.TrimSpace(f.Rest + strings.TrimLeft(asked[2], " .,;:!-–—"))
	if m := politely().FindStringSubmatch(text); m != nil {
		f.Of, f.Named = About, m[1]+m[2]
		return f, true
	}
	if lastThing().MatchString(asked[1]) {
		return f, true
	}
	if m := ownThing().FindStringSubmatch(asked[1]); m != nil {
		f.Of, f.Named = Own, m[1]
	} else if m := toldThing().FindStringSubmatch(asked[1]); m != nil {
		f.Of, f.Named = About, m[1]
	} else if m := toldFact().FindStringSubmatch(asked[1]); m != nil && len(analysis.Content(m[1])) > 1 {
		f.Of, f.Named = Fact, m[1]
	}
	return f, f.Named != ""
}
