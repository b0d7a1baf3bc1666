package extractive

import (
	"slices"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/lazyregexp"
	"mcp-memory/text/worth"
)

var (
	// unkept is what somebody says who does not want to have something kept: "don't save this".
	unkept = lazyregexp.New(`(?i)(?:^|[\n.,;:!?(–—-]\s*|\b(?:but|so|and|please|pls|bitte)\s+)(?:please |pls |bitte )?` +
		`(?:(?:don['’]?t|do not|no need to) (?:(?:save|remember|store|keep|record|note|memori[sz]e)(?: down)?|write down) ` +
		`(?:this|that|it|any of (?:this|that)|what i\b[^\n.,;:!?]*)` +
		`(?: (?:down|in (?:your )?memory|to (?:your )?memory|anywhere|though|please|part|conversation|message))*\s*(?:$|[\n.,;:!?)–—-]|but\b)` +
		`|(?:this is )?(?:off|not for) the record\b|nicht (?:merken|speichern)\b|merke? dir das (?:bitte )?nicht\b` +
		`|ne (?:le |l['’])?(?:retiens|enregistre|note) pas\b|no lo (?:guardes|recuerdes)\b|nie zapisuj\b)`)
	// confided is why something is to be forgotten.
	confided = lazyregexp.New(`(?i)\b(?:private|personal|confidential|secret|should(?:n['’]?t| not) have|(?:told|tell) you|business|mistake|accident|please)\b`)

	toMemory = `(?:to|in|into) (?:your |my |the )?(?:long-?term )?memory`
	forLater = `(?:for|from) (?:me|later|good|(?:the )?next (?:time|session)|(?:the )?future(?: reference| sessions)?|now on)`
	// minding are the words that ask for a memory by themselves; storing do it only with toMemory.
	minding = `(?:remember|memori[sz]e|note|keep in mind|bear in mind|make a (?:mental )?note|take (?:a )?note|` +
		`write (?:this |that |it )?down)`
	storing = `(?:save|store|record|put|add|write|keep)`
	// remembered is a sentence that is to be kept: "remember this: …", "add to your memory that …".
	remembered = lazyregexp.New(`(?i)^` + worth.Asking + `(?:(?:` + minding + `|don['’]?t forget|do not forget)(?: of)?` +
		`(?: (?:this|these|it|the following|down|one thing|something))*(?: ` + toMemory + `)?(?: ` + forLater + `)?` +
		`|` + storing + `(?: (?:this|these|it|the following|down))* ` + toMemory + `(?: ` + forLater + `)?` +
		`|for (?:later|next time|the record))(?:\s*:|,? that\b)\s*(\S.*)$`)
	// minded is a rule behind "remember": "Remember, never push to main."
	minded = lazyregexp.New(`(?i)^` + worth.Asking + `remember,\s*(\S.*)$`)
	// asking is how such a sentence begins as a question.
	asking = lazyregexp.New(`(?i)^(?:can|could|would|will) you `)
	// rememberedToo is the same behind something else: "fix the tests, and remember that …".
	rememberedToo = lazyregexp.New(`(?i)^(.{3,}?)[,;]\s*(?:and |but |also )*((?:please )?(?:remember|keep in mind|note|don['’]?t forget)(?: ` + forLater + `)? that .+)$`)
	// blockAsked is the line before a table, a list or a block of code that is to be kept; the group is
	// what it is called.
	blockAsked = lazyregexp.New(`(?i)^` + worth.Asking + `(?:` + minding + `((?: [^\n:.?!]*)?)` +
		`|` + storing + `((?: [^\n:.?!]*)? ` + toMemory + `\b[^\n:.?!]*))[:.]?[ \t]*$`)
	// uncalled are the words of such a line that name nothing.
	uncalled = lazyregexp.New(`(?i)^ ?(?:this|these|it|the following)\b|\b` + toMemory + `|\b` + forLater)
)

// maxBlockBytes is the length of a table, a list or a block of code that is kept as a whole.
const maxBlockBytes = 4000

// heeded does what a message says about being kept or forgotten, and returns what is left of its text
// to be read; false if nothing is.
func (m *message) heeded(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if span := unkept().FindStringIndex(text); span != nil {
		if stems(cut(text[:span[0]]+" "+text[span[1]:])) < minStems {
			m.retract(false, nil)
		}
		return "", false
	}
	if asked, ok := worth.AsksToForget(text); ok && asked.Of <= worth.Own {
		if asked.Of == worth.Own {
			m.x.forget(analysis.Content(asked.Named))
		} else {
			m.retract(false, nil)
		}
		return asked.Rest, asked.Rest != "" && !confided().MatchString(asked.Rest)
	} else if ok && m.x.forget(analysis.Content(asked.Named)) {
		return asked.Rest, asked.Rest != ""
	}
	return m.blocks(text), true
}

// keepable returns turns for a summary without those in which the user asks not to save something or to forget it, and
// without what is to be forgotten.
func keepable(turns []memory.Turn) (left []memory.Turn) {
	for _, t := range turns {
		asked, ok := worth.AsksToForget(t.Content)
		switch {
		case t.Role != memory.RoleUser, !ok && !unkept().MatchString(t.Content):
			left = append(left, t)
			continue
		case !ok:
			continue
		}
		for i := range left {
			rest, had := withoutAbout(left[i].Content, analysis.Content(asked.Named))
			byUser := func(t memory.Turn) bool { return t.Role == memory.RoleUser }
			if asked.Of == worth.Last && byUser(left[i]) && !slices.ContainsFunc(left[i+1:], byUser) {
				rest, had = "", true
			}
			if had {
				left[i].Content = rest
			}
		}
		if t.Content = asked.Rest; t.Content != "" {
			left = append(left, t)
		}
	}
	return left
}

// withoutAbout returns a text without the sentences that have all of some stems, and whether it had one.
func withoutAbout(text string, about []string) (left string, had bool) {
	all := analysis.Sentences(text)
	kept := slices.DeleteFunc(slices.Clone(all), func(s string) bool {
		there := analysis.Content(s)
		return len(about) > 0 && !slices.ContainsFunc(about, func(stem string) bool { return !slices.Contains(there, stem) })
	})
	return strings.Join(kept, " "), len(kept) < len(all)
}

// forget drops the sentences of earlier facts that have all of some stems, and reports whether there were any.
func (x *extraction) forget(about []string) (had bool) {
	for i := range x.facts {
		f := &x.facts[i]
		if left, told := withoutAbout(f.Content, about); told && !f.dropped {
			f.Content, f.ends, f.dropped, had = left, nil, left == "", true
		}
	}
	return had
}

// blocks keeps the tables, lists and blocks of code that the line before them asks to remember, as they
// are, and returns the text without them.
func (m *message) blocks(text string) string {
	lines := strings.SplitAfter(text, "\n")
	var rest strings.Builder
	for i := 0; i < len(lines); i++ {
		asked := blockAsked().FindStringSubmatch(strings.TrimSpace(lines[i]))
		start := i + 1
		for start < len(lines) && strings.TrimSpace(lines[start]) == "" {
			start++
		}
		end := start
		if asked != nil {
			end = blockEnd(lines, start)
		}
		block := strings.TrimSpace(strings.Join(lines[start:end], ""))
		if block == "" || len(block) > maxBlockBytes {
			rest.WriteString(lines[i])
			continue
		}
		if name := strings.TrimSpace(uncalled().ReplaceAllString(asked[1]+asked[2], "")); name != "" {
			block = capital(name) + ":\n" + block
		}
		m.x.note(m.s.turn, memory.FactOther, agreedImportance, block)
		i = end - 1
	}
	return rest.String()
}

// blockEnd returns where the table, list or block of code ends that begins at a line; start if none
// of two lines or more does.
func blockEnd(lines []string, start int) int {
	if start >= len(lines) {
		return start
	}
	if fence := strings.TrimSpace(lines[start]); strings.HasPrefix(fence, "```") || strings.HasPrefix(fence, "~~~") {
		for i := start + 1; i < len(lines); i++ {
			if strings.TrimSpace(lines[i]) == fence[:3] {
				return i + 1
			}
		}
		return start
	}
	end := start
	for end < len(lines) {
		line := strings.TrimSpace(lines[end])
		if !strings.HasPrefix(line, "|") && !listMarks().MatchString(line) {
			break
		}
		end++
	}
	if end < start+2 {
		return start
	}
	return end
}

// toKeep returns the sentences of a message, those that are to be kept without the words that say so,
// and which of them these are.
func toKeep(sentences []string) (all []string, asked map[int]bool) {
	asked = map[int]bool{}
	for _, text := range sentences {
		if both := rememberedToo().FindStringSubmatch(text); both != nil && !in("pointsBack", cut(both[2])) {
			all, text = append(all, both[1]+"."), both[2]
		}
		what := remembered().FindStringSubmatch(text)
		if what == nil {
			what = minded().FindStringSubmatch(text)
		}
		if what != nil && (!strings.HasSuffix(text, "?") || asking().MatchString(text)) {
			text = strings.TrimSuffix(capital(what[1]), "?")
			asked[len(all)] = true
		}
		all = append(all, text)
	}
	return all, asked
}

// withExceptions puts a ban and the exception behind it into one sentence, as neither is right alone:
// "No force pushes. On your own branches it's fine."
func withExceptions(sentences []string) (all []string) {
	for i := 0; i < len(sentences); i++ {
		text := sentences[i]
		if i+1 < len(sentences) && in("bareBan", cut(text)) && in("excepted", strip(cut(sentences[i+1]), nil)) {
			i++
			text = strings.TrimRight(text, ".!") + "; " + small(join(strip(cut(sentences[i]), nil)))
		}
		all = append(all, text)
	}
	return all
}
