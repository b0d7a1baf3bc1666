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
	// fewest is the number of memories from which a theme gets a summary of its
	// own.
	fewest = 5
	// alone is the number of memories from which a theme is summarised at all,
	// unless an earlier summary has room for them.
	alone = 2

	memoryTokens       = 2000 // most tokens of a summary of memories
	conversationTokens = 2000 // most tokens of the summary of a project's conversations
	leastTokens        = 50   // every summary may have that many
	// A summary may have 1/shrink of the tokens that it stands for. The summary
	// of a short text may have half of them, up to smallShare tokens.
	shrink     = 5
	smallShare = 400
	// One summary stands for at most volume memories with at most volumeTokens
	// tokens: 1/shrink of more would exceed memoryTokens.
	volume       = 500
	volumeTokens = shrink * memoryTokens
)

// share returns how many tokens the summary of fresh tokens of text may have.
func share(fresh int) int { return max(fresh/shrink, min(fresh/2, smallShare)) }

// room returns how many tokens a summary may have that folds in an earlier
// summary of earlier tokens and stands for fresh tokens of new text. The upper
// limit is most.
func room(earlier, fresh, most int) int {
	return max(leastTokens, min(most, earlier+share(fresh)))
}

// group is the part of a batch that becomes one summary, with its progress.
type group struct {
	Project  string   `json:"project,omitempty"`
	Category string   `json:"category"`
	Members  []string `json:"members"`           // ids, oldest first
	Parts    []int    `json:"parts"`             // ends of the parts in Members, one step each
	Earlier  string   `json:"earlier,omitempty"` // id of the summary to be folded in
	Most     int      `json:"most"`              // most tokens of the summary

	Done    int    `json:"done,omitempty"` // number of parts that Summary stands for
	Summary string `json:"summary,omitempty"`
	By      string `json:"by,omitempty"`
}

// bank holds the memories and summaries that a call may use.
type bank struct {
	size      func(text string) int // counts tokens
	memories  []memory.Record       // those on the focus, oldest first
	summaries []memory.Record       // live ones, newest first
}

// theme is the project and category that the memories of a summary share. Under
// a focus the category is empty.
type theme struct{ project, category string }

// themes sorts a batch into groups. A theme with fewer than [alone] memories
// and without a summary to fold them into is in no group.
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

// tokens returns how many tokens the texts of the memories have together.
func (b *bank) tokens(list []memory.Record) (n int) {
	for _, r := range list {
		n += b.size(memoryText(r))
	}
	return n
}

// foldsIn reports whether the earlier summary of a theme has room for the new
// memories. If not, it stays as it is, and the new memories get another
// summary.
func (b *bank) foldsIn(list []memory.Record, earlier memory.Record) bool {
	return earlier.Summary.Count+len(list) <= volume && b.size(earlier.Content)+share(b.tokens(list)) <= memoryTokens
}

// volumes cuts the memories of a theme into one part for each summary that it
// needs. The parts have about equal numbers of tokens.
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

// joinSmall merges each small theme into the theme [memory.CategoryOther] of
// its project, and a theme that is still small then into the largest of its
// project. A theme is small if it has fewer than [fewest] memories and no
// summary with room for them. joinSmall changes members, and returns order with
// the themes that it added.
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

// earlier returns the newest live summary of a theme, or nil. A new summary
// folds it in if it has room. For memories it skips those that the agent wrote
// itself, because they are not rewritten. Under a focus the summary must have
// the same focus, whatever its category. Conversations have one theme for each
// project.
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

// commonest returns the category that most records have. Of equally frequent
// ones it is the one that comes first in records.
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

// memoryText returns the text of a memory. For an episode it adds the
// participants and the outcome that the content does not mention.
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

// punctuated returns text with a full stop after every line that ends with a
// letter or a digit. A summary joins lines, and memories, into running text,
// and they would run together without it.
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

// maxTurnBytes is how many bytes of a turn's content are read for its summary.
const maxTurnBytes = 64 << 10

// shortened returns a turn with at most the first [maxTurnBytes] of its
// content.
func shortened(t memory.Turn) memory.Turn {
	if len(t.Content) > maxTurnBytes {
		t.Content = strings.ToValidUTF8(t.Content[:maxTurnBytes], "")
	}
	return t
}

// turnText returns what a turn says, behind its speaker or role. For a turn
// without content these are its tool calls.
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

// entry returns a member of a batch in the form in which summarizers and agents
// get it.
func entry(id, text string, at time.Time) memory.DatedText {
	return memory.DatedText{ID: id, Text: text, At: at}
}
