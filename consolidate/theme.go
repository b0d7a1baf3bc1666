package consolidate

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"mcp-memory/memory"
)

const (
	// fewest is how many memories make a theme of their own.
	fewest = 5
	// alone is the number below which what a project has is left as it is.
	alone = 2

	memoryTokens       = 2000 // of a summary of memories at most
	conversationTokens = 2000 // of a project's
	leastTokens        = 50
	// A summary gets a fifth of the tokens that it stands for, but of little it
	// may keep half, up to this many.
	shrink     = 5
	smallShare = 400
	// volume is how many memories one summary stands for at most, and the tokens
	// that they may have lest they need more room than a summary gets.
	volume       = 500
	volumeTokens = shrink * memoryTokens
)

// share is how many tokens of a summary so many are worth.
func share(fresh int) int { return max(fresh/shrink, min(fresh/2, smallShare)) }

// room is how many tokens the summary of so many may have, beside the summary
// that is folded in; most is the bound.
func room(earlier, fresh, most int) int {
	return max(leastTokens, min(most, earlier+share(fresh)))
}

// group is what one summary stands for.
type group struct {
	Project  string   `json:"project,omitempty"`
	Category string   `json:"category"`
	Members  []string `json:"members"`           // ids, oldest first
	Parts    []int    `json:"parts"`             // ends of the parts of Members that are summarised one by one
	Earlier  string   `json:"earlier,omitempty"` // id of the summary that is folded in
	Most     int      `json:"most"`              // tokens of the summary

	Done    int    `json:"done,omitempty"` // parts that Summary stands for
	Summary string `json:"summary,omitempty"`
	By      string `json:"by,omitempty"`
}

// bank is what there is to consolidate, as a call sees it.
type bank struct {
	size      func(text string) int
	memories  []memory.Record // on the focus, oldest first
	summaries []memory.Record // live ones, newest first
}

// theme is what a summary is about. Under a focus the category is empty.
type theme struct{ project, category string }

// themes sorts a batch into groups, in the order of their first members. What
// is left alone is in none.
func (b *bank) themes(batch []memory.Record, focus string) []group {
	members := map[theme][]memory.Record{}
	var order []theme
	for _, r := range batch {
		k := theme{r.Project, r.Category}
		if focus != "" {
			k.category = ""
		}
		if members[k] == nil {
			order = append(order, k)
		}
		members[k] = append(members[k], r)
	}
	if focus == "" {
		order = b.joinSmall(members, order)
	}
	var groups []group
	for _, k := range order {
		list := members[k]
		earlier := b.earlier(memory.Memories, k.project, k.category, focus)
		folds := earlier != nil && b.foldsIn(list, *earlier)
		if len(list) == 0 || len(list) < alone && !folds {
			continue
		}
		sortByAge(list)
		for i, part := range b.volumes(list) {
			g := group{Project: k.project, Category: k.category, Most: memoryTokens, Parts: []int{len(part)}}
			if focus != "" {
				g.Category = commonest(list)
			}
			if i == 0 && folds {
				g.Earlier = earlier.ID
			}
			for _, r := range part {
				g.Members = append(g.Members, r.ID)
			}
			groups = append(groups, g)
		}
	}
	return groups
}

// tokens counts those of memories.
func (b *bank) tokens(list []memory.Record) (n int) {
	for _, r := range list {
		n += b.size(memoryText(r))
	}
	return n
}

// foldsIn reports whether a theme's summary has room for all that is new. If
// not, it stays as it is, and what is new begins another.
func (b *bank) foldsIn(list []memory.Record, earlier memory.Record) bool {
	return earlier.Summary.Count+len(list) <= volume && b.size(earlier.Content)+share(b.tokens(list)) <= memoryTokens
}

// volumes cuts a theme into as many parts as it needs summaries, about equal in
// tokens.
func (b *bank) volumes(list []memory.Record) (parts [][]memory.Record) {
	total := b.tokens(list)
	n := max((len(list)+volume-1)/volume, (total+volumeTokens-1)/volumeTokens, 1)
	if n == 1 {
		return [][]memory.Record{list}
	}
	begin, used := 0, 0
	for i, r := range list {
		size := b.size(memoryText(r))
		if i > begin && (used+size > volumeTokens || used*n >= total || i-begin == volume) {
			parts, begin, used = append(parts, list[begin:i]), i, 0
		}
		used += size
	}
	return append(parts, list[begin:])
}

// joinSmall has small themes join the rest of their project, and what is small
// then its largest theme. A theme whose summary has room for them is never small. It returns
// the order with the themes that are new.
func (b *bank) joinSmall(members map[theme][]memory.Record, order []theme) []theme {
	small := func(k theme) bool {
		if members[k] == nil || len(members[k]) >= fewest {
			return false
		}
		e := b.earlier(memory.Memories, k.project, k.category, "")
		return e == nil || !b.foldsIn(members[k], *e)
	}
	join := func(from, to theme) {
		if from != to {
			members[to] = append(members[to], members[from]...)
			delete(members, from)
		}
	}
	for _, k := range slices.Clone(order) {
		if small(k) {
			rest := theme{k.project, memory.CategoryOther}
			if !slices.Contains(order, rest) {
				order = append(order, rest)
			}
			join(k, rest)
		}
	}
	for _, k := range order {
		if !small(k) {
			continue
		}
		largest := k
		for _, other := range order {
			if other.project == k.project && len(members[other]) > len(members[largest]) {
				largest = other
			}
		}
		join(k, largest)
	}
	return order
}

// earlier is the newest live summary of a theme, which a new one folds in if
// there is room, or nil. What the agent wrote itself is not rewritten. A focus is a theme in
// itself; conversations have one theme a project.
func (b *bank) earlier(of memory.Corpus, project, category, focus string) *memory.Record {
	for i, r := range b.summaries {
		d := r.Summary
		if d.Of != string(of) || r.Project != project {
			continue
		}
		if of == memory.Conversations {
			return &b.summaries[i]
		}
		if !byAgent(r) && memory.SameContent(d.Focus) == memory.SameContent(focus) && (focus != "" || r.Category == category) {
			return &b.summaries[i]
		}
	}
	return nil
}

// summary returns a live summary by id, or nil.
func (b *bank) summary(id string) *memory.Record {
	for i := range b.summaries {
		if b.summaries[i].ID == id {
			return &b.summaries[i]
		}
	}
	return nil
}

// commonest is the category that most records have, the first of equals.
func commonest(records []memory.Record) string {
	count, best := map[string]int{}, ""
	for _, r := range records {
		count[r.Category]++
	}
	for _, r := range records {
		if count[r.Category] > count[best] {
			best = r.Category
		}
	}
	return cmp.Or(best, memory.CategoryOther)
}

// sortByAge puts the oldest event first.
func sortByAge(records []memory.Record) {
	slices.SortStableFunc(records, func(a, b memory.Record) int {
		return cmp.Or(a.EventTime().Compare(b.EventTime()), a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
	})
}

// memoryText is what a memory says: with its outcome and who took part, where
// the content does not tell.
func memoryText(r memory.Record) string {
	text := r.Content
	if r.Episode == nil {
		return text
	}
	low := strings.ToLower(text)
	add := func(label, s string) {
		if s = strings.TrimSpace(s); s != "" && !strings.Contains(low, strings.ToLower(s)) {
			text += label + strings.TrimSuffix(s, ".") + "."
		}
	}
	end := ""
	if !strings.HasSuffix(strings.TrimSpace(text), ".") {
		end = "."
	}
	var absent []string
	for _, p := range r.Episode.Participants {
		if !strings.Contains(low, strings.ToLower(p)) {
			absent = append(absent, p)
		}
	}
	add(end+" With ", strings.Join(absent, ", "))
	if strings.HasSuffix(text, ".") {
		end = ""
	}
	add(end+" Outcome: ", r.Episode.Outcome)
	return text
}

// punctuated is a text with a full stop behind every line that ends with a word:
// a summary puts what was written on lines of its own, or in memories of their
// own, behind each other.
func punctuated(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = strings.TrimRightFunc(line, unicode.IsSpace)
		switch end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(line, closing)); {
		case unicode.In(end, unicode.Han, unicode.Hiragana, unicode.Katakana):
			lines[i] = line + "。"
		case unicode.IsLetter(end) || unicode.IsDigit(end):
			lines[i] = line + "."
		}
	}
	return strings.Join(lines, "\n")
}

// maxTurnBytes is how much of a turn is read for its summary.
const maxTurnBytes = 64 << 10

// shortened is a turn as it is summarised: of a very long one the beginning.
func shortened(t memory.Turn) memory.Turn {
	if len(t.Content) > maxTurnBytes {
		t.Content = strings.ToValidUTF8(t.Content[:maxTurnBytes], "")
	}
	return t
}

// turnText is what a turn says, with its speaker.
func turnText(t memory.Turn) string {
	text := shortened(t).Content
	if text == "" && t.Details != nil {
		for _, c := range t.Details.ToolCalls {
			text += c.Name + " " + c.Error + "\n"
		}
	}
	if who := cmp.Or(t.Speaker, string(t.Role)); who != "" {
		text = who + ": " + text
	}
	return strings.TrimSpace(text)
}

// entry is a member of a batch as it is given to whoever summarises it.
func entry(id, text string, at time.Time) memory.DatedText {
	return memory.DatedText{ID: id, Text: text, At: at}
}
