package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
	"mcp-memory/resources"
	"mcp-memory/text/analysis"
)

// saveCategories measures the categories that saves choose for facts.
func (s *system) saveCategories(ctx context.Context, all *sets, t *tally) error {
	b, err := s.fill(ctx, "categories", all.categories)
	if err != nil {
		return err
	}
	for _, f := range all.categories {
		got := b.saved[f.ID]
		ok := got == f.Category
		t.hit("categories", ok)
		if f.Hard {
			t.hit("categories hard", ok)
		} else {
			t.hit("categories easy", ok)
		}
		t.hit("categories other", got == other)
		if !ok {
			t.miss("categories", f.ID, fmt.Sprintf("    %s: %s, not %s\n", f.Content, f.Category, got))
		}
	}
	return nil
}

// other is the category of what fits no other.
const other = "other"

// readStart measures the page of a new session.
func (s *system) readStart(ctx context.Context, all *sets, t *tally) error {
	for _, c := range all.start {
		b, err := s.fill(ctx, c.Case, c.Facts)
		if err != nil {
			return err
		}
		t.judgeTaken(b, c.Facts, nil, nil, c.MustNot)
		s.now = c.Now.Time
		page, err := s.pages.Read(ctx, memory.Scope{Agent: c.Case, Project: c.Project}, resources.SessionStart)
		if err != nil {
			return fmt.Errorf("read the start of %s: %w", c.Case, withCause(err))
		}
		text := plain(page.Text)
		var wrong strings.Builder
		for _, f := range c.Facts {
			shown := strings.Contains(text, beginning(f.Content))
			if slices.Contains(c.Must, f.ID) {
				t.hit("start must", shown)
				if !shown {
					fmt.Fprintf(&wrong, "      missing %s %s\n", f.ID, f.Content)
				}
			}
			if slices.Contains(c.MustNot, f.ID) {
				t.hit("start must not", shown)
				if shown {
					fmt.Fprintf(&wrong, "      shown %s %s\n", f.ID, f.Content)
				}
			}
		}
		if wrong.Len() > 0 {
			t.miss("start", c.Case, wrong.String())
		}
	}
	return nil
}

// plain returns a text with every run of white space replaced by one blank.
func plain(text string) string { return strings.Join(strings.Fields(text), " ") }

// beginning returns the part of a content that has to be on a page: its first hundred characters.
func beginning(content string) string {
	text := []rune(plain(content))
	return string(text[:min(100, len(text))])
}

// How many messages are reported at once, and the model's context window in tokens.
const (
	messagesAtOnce = 6
	windowTokens   = 200_000
)

// hold reports conversations to the context window as a host does, and measures which facts are
// stored.
func (s *system) hold(ctx context.Context, all *sets, t *tally) error {
	for _, c := range all.talks {
		scope := memory.Scope{Agent: c.Case}
		for part := range slices.Chunk(c.Messages, messagesAtOnce) {
			r := contextwindow.AppendRequest{Scope: scope, Session: c.Case, Total: windowTokens, Source: "chat"}
			for _, m := range part {
				s.now = m.At.Time
				r.Messages = append(r.Messages, contextwindow.Message{Role: memory.Role(m.Role), Content: m.Content, TS: m.At.Time})
			}
			if _, err := s.window.Append(ctx, r); err != nil {
				return fmt.Errorf("append to %s: %w", c.Case, withCause(err))
			}
		}
		flush := contextwindow.CompactRequest{Scope: scope, Session: c.Case, Mode: contextwindow.ModeFlush}
		if _, err := s.window.Compact(ctx, flush); err != nil {
			return fmt.Errorf("flush %s: %w", c.Case, withCause(err))
		}
		stored, err := s.stored(ctx, c.Case)
		if err != nil {
			return err
		}
		t.judgeTalk(c, stored)
	}
	return nil
}

func (t *tally) judgeTalk(c talkCase, stored []string) {
	var wrong strings.Builder
	for _, keep := range c.Keep {
		ok := slices.ContainsFunc(stored, func(fact string) bool { return covers(fact, keep, keepShare) })
		t.hit("kept", ok)
		if !ok {
			fmt.Fprintf(&wrong, "      lost %s\n", keep)
		}
	}
	for _, drop := range c.Drop {
		i := slices.IndexFunc(stored, func(fact string) bool { return says(fact, drop) })
		t.hit("wrongly kept", i >= 0)
		if i >= 0 {
			fmt.Fprintf(&wrong, "      kept %s\n        as %s\n", drop, stored[i])
		}
	}
	if wrong.Len() == 0 {
		return
	}
	for _, fact := range stored {
		fmt.Fprintf(&wrong, "      stored %s\n", fact)
	}
	t.miss("kept", c.Case, wrong.String())
}

// Shares of a sentence's content words that a fact must have, to count as keeping it and as wrongly
// keeping it. The latter is higher, since two words of three are found by chance too easily.
const (
	keepShare = 0.6
	dropShare = 0.75
)

// covers reports whether a fact has at least a share of a sentence's content words.
func covers(fact, sentence string, share float64) bool {
	has := contentWords(fact)
	wanted := contentWords(sentence)
	n := 0
	for word := range wanted {
		if has[word] {
			n++
		}
	}
	return len(wanted) > 0 && float64(n) >= share*float64(len(wanted))
}

func contentWords(text string) map[string]bool {
	_, words := analysis.ContentWords(text)
	return set(words)
}

// says reports whether a fact says what a sentence does that should have been dropped: it has
// dropShare of its content words and all of its numbers, and is negated if the sentence is.
func says(fact, sentence string) bool {
	words := set(analysis.Words(fact))
	for word := range set(analysis.Words(sentence)) {
		if strings.ContainsAny(word, "0123456789") && !words[word] {
			return false
		}
	}
	return covers(fact, sentence, dropShare) && negated(fact) == negated(sentence)
}

// negated reports whether a text has a word that negates it.
func negated(text string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(text)), func(word string) bool {
		word = strings.Trim(strings.ReplaceAll(word, "’", "'"), `.,;:!?"()`)
		return slices.Contains(negations, word) || strings.HasSuffix(word, "n't")
	})
}

var negations = []string{"not", "no", "never", "none", "nobody", "without", "neither", "nor", "cannot", "rejected", "dropped", "instead"}

func set(words []string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
