package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// question is a line of a set of questions.
type question struct {
	half    string // own, held or fresh
	project string // folder in which it is asked
	ask     string
	gold    []string // for blame the scripts, else empty
	words   []string // any of these answers
	never   []string // none of these may be in what answers
	nothing bool     // it has no answer
}

// call is a line of the set of calls before which something may be said.
type call struct {
	host, project, tool, what string

	words  []string // any of these makes what is said useful
	silent bool     // nothing should be said
}

// lines calls read with each line of a set that is no comment.
func lines(path string, read func(string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := read(line); err != nil {
			return fmt.Errorf("%s:%d: %w", filepath.Base(path), n, err)
		}
	}
	return in.Err()
}

func readQuestions(path string) (all []question, err error) {
	return all, lines(path, func(line string) error {
		head, gold, found := strings.Cut(line, " => ")
		who, ask, asked := strings.Cut(head, ": ")
		of := strings.Fields(who)
		if !found || !asked || len(of) != 2 || !slices.Contains([]string{"own", "held", "fresh"}, of[0]) {
			return fmt.Errorf("not %q", "half project: question => gold")
		}
		q := question{half: of[0], project: of[1], ask: ask, nothing: gold == "nothing"}
		for part := range strings.SplitSeq(gold, " ;; ") {
			switch {
			case q.nothing:
			case strings.HasPrefix(part, "!"):
				q.never = append(q.never, strings.Trim(part[1:], `"`))
			case filepath.Base(path) == "blame.txt" && part[0] >= '0' && part[0] <= '9':
				q.gold = strings.Fields(part)
			case filepath.Base(path) == "how.txt":
				q.words = append(q.words, part)
			default:
				q.words = append(q.words, alternatives(part)...)
			}
		}
		all = append(all, q)
		return nil
	})
}

func alternatives(text string) (list []string) {
	for word := range strings.SplitSeq(text, " || ") {
		list = append(list, strings.Trim(word, `"`))
	}
	return list
}

func readCalls(path string) (all []call, err error) {
	return all, lines(path, func(line string) error {
		head, gold, found := strings.Cut(line, " => ")
		who, what, asked := strings.Cut(head, ": ")
		of := strings.Fields(who)
		if !found || !asked || len(of) != 3 {
			return fmt.Errorf("not %q", "host project tool: what => gold")
		}
		c := call{host: of[0], project: of[1], tool: of[2], what: what, silent: gold == "silence"}
		if !c.silent {
			c.words = alternatives(gold)
		}
		all = append(all, c)
		return nil
	})
}

// fits reports whether a text has one of the words, whatever their case. After "="
// the text as a whole is meant.
func fits(text string, words []string) bool {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	return slices.ContainsFunc(words, func(w string) bool {
		w = strings.ToLower(w)
		if whole, is := strings.CutPrefix(w, "="); is {
			return text == whole
		}
		return strings.Contains(text, w)
	})
}
