package extractive

import (
	"strings"

	"mcp-memory/text/lazyregexp"
)

var (
	// chatLine is one of a chat with the time before or behind who wrote it.
	chatLine = lazyregexp.New(`^[ \t]*(?:[\[(][^\])\n]{0,24}\d{1,2}[:.]\d\d[^\])\n]{0,8}[\])]|\d{1,2}[:.]\d\d(?::\d\d)?(?: ?[AaPp][Mm])?)` +
		`[ \t]*[-–]?[ \t]*<?@?\pL[\pL\pN .'_-]{0,30}>?:[ \t]`)
	// spokenLine is one with a name before what is said, ofThemselves such words in the first person.
	spokenLine   = lazyregexp.New(`(?m)^[ \t]*[*_]{0,2}@?(\pL[\pL'-]+)(?: \p{Lu}[\pL'.-]*)?(?: \([^)\n]*\))?[*_]{0,2}:[*_]{0,2}[ \t]`)
	ofThemselves = lazyregexp.New(`(?im)(?:^[ \t]*[*_]{0,2}@?|[.!?] )(\pL[\pL'-]+)(?: \pL[\pL'.-]*)?(?: \([^)\n]*\))?[*_]{0,2}:[*_]{0,2} ` +
		`(?:i|i['’](?:m|ll|ve|d)|my|we|we['’](?:re|ll|ve|d)|our)\b`)
	// salutation is the line that a letter begins with.
	salutation = lazyregexp.New(`(?im)^(?:(?:hi|hello|hey|hallo|guten tag|moin|bonjour|hola|cześć|dzień dobry|olá|ciao)\b[^\n.!?:]{0,40}[,!]` +
		`|(?:dear|liebe[rs]?|sehr geehrte[rs]?|chère?|querid[oa]|estimad[oa]|car[oa])\b[^\n.!?:]{0,40},?)[ \t]*$`)
	// codeComment is a comment of a line of code.
	codeComment = lazyregexp.New(`^[ \t]*(?://|/\*|\*/|--[ \t]?\pL)`)
)

// headings are what lines of notes begin with that look as if somebody said them.
var headings = set(`note notes update edit ps fyi reminder todo deadline plan goal question answer context background correction
	decision rule rules frontend backend deployment deploy testing tests database hosting ci api auth language framework editor os
	port host name role project team stack infra infrastructure monitoring logging work home family hobbies health diet summary status
	today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday setup editor storage queue cache search billing
	remember important style tone format location address allergies preferences motivation constraint constraints requirement requirements
	problem problems issue issues idea ideas task tasks objective objectives scope approach solution reason reasons budget timeline timing
	risk risks pros cons option options history current currently past future now later first second third next business customers users
	audience market product products tech stacks code repo security privacy legal money finances hobby job career education skills
	experience languages workflow tools pets kids weekend morning evening also and but so short long example examples warning
	caveat caveats exception exceptions assumption assumptions given want wants need needs habit habits`)

// kinSpeakers are who a single line of a chat may be from.
var kinSpeakers = set("mum mom dad mama papa boss client customer support hr teacher doctor landlord manager grandma grandpa sister brother wife husband me")

// withoutPasted returns a message without what others wrote that was pasted into it: the lines of a
// chat, a letter behind other text, comments of code. What is handed over by words ("their docs
// say:") is left out by withoutHanded.
func withoutPasted(text string) string {
	if spans := salutation().FindAllStringIndex(text, -1); len(spans) > 0 {
		if last := spans[len(spans)-1]; strings.TrimSpace(text[:last[0]]) != "" {
			text = text[:last[0]]
		}
	}
	chat := isChat(text)
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !(chat && spokenLine().MatchString(line)) && !chatLine().MatchString(line) && !codeComment().MatchString(line) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// isChat reports whether lines with names before them are a chat: somebody speaks of themselves, and
// somebody speaks twice, all do of themselves, or one of them writes to the user.
func isChat(text string) bool {
	spoken := map[string]bool{} // who speaks of themselves
	for _, m := range ofThemselves().FindAllStringSubmatch(text, -1) {
		if who := strings.ToLower(m[1]); !headings[who] {
			spoken[who] = true
		}
	}
	lines, times := 0, map[string]int{}
	for _, m := range spokenLine().FindAllStringSubmatch(text, -1) {
		who := strings.ToLower(m[1])
		lines++
		times[who]++
		if spoken[who] && kinSpeakers[who] {
			return true
		}
	}
	return len(spoken) > 1 && lines <= len(spoken) || len(spoken) > 0 && len(times) > 1 && lines > len(times)
}
