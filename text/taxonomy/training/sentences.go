// Package training makes the models of the categories and of the scopes
// (package model) from the sentences beside it. There is a file for each class,
// first with the easy sentences, then, below "# hard", with those without a
// telltale word. The sentences are invented, written for this project and under
// its licence. Whoever adds or changes one runs
//
//	go run ./eval/taxonomy --write text/taxonomy
//
// which takes some seconds. That is also needed after a change of the semantic
// table, of lexicon.txt or of the features; tests fail if it was forgotten.
//
// The fit is deterministic: the same sentences and table give the same model on
// the same kind of processor. The program does not contain this package.
package training

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy/model"
)

//go:embed *.txt scope/*.txt
var files embed.FS

// Sentence is an example of a class.
type Sentence struct {
	Text     string
	Category string // its class
	Hard     bool   // without a word that gives the class away
}

// Set is the set of classes that one model distinguishes, with their sentences.
type Set struct {
	Name    string   // of the model's file, without its extension
	Classes []string // in the order of the model
	Nowhere string   // class of what fits in no other, left out of Report.Right and All; or ""
	dir     string   // directory of the files
}

// Categories returns the set of the default categories, with
// [memory.CategoryOther] last.
func Categories() Set {
	s := Set{Name: "categories", Nowhere: memory.CategoryOther}
	for _, c := range memory.DefaultCategories() {
		s.Classes = append(s.Classes, c.Name)
	}
	return s
}

// Scopes returns the set of two classes: what is about the person and holds in
// every project, and what is about the work at hand.
func Scopes() Set {
	return Set{Name: "scopes", Classes: []string{"global", "project"}, dir: "scope/"}
}

// Sets returns all sets.
func Sets() []Set { return []Set{Categories(), Scopes()} }

// Sentences returns all sentences, class by class. It panics if the file of a
// class is missing.
func (s Set) Sentences() []Sentence {
	var all []Sentence
	for _, name := range s.Classes {
		hard := false
		for line := range strings.Lines(s.file(name)) {
			line = strings.TrimSpace(line)
			switch {
			case strings.HasPrefix(line, "#"):
				hard = line == "# hard"
			case line != "":
				all = append(all, Sentence{line, name, hard})
			}
		}
	}
	return all
}

func (s Set) file(class string) string {
	text, err := files.ReadFile(s.dir + class + ".txt")
	if err != nil {
		panic(fmt.Sprintf("training: sentences of a class: %v", err))
	}
	return string(text)
}

// Sum returns the SHA-256 of the lexicon and the sentences, which identifies
// them in a model's [model.Origin].
func (s Set) Sum() [32]byte {
	text := model.Lexicon()
	for _, name := range s.Classes {
		text += "\x00" + name + "\x00" + s.file(name)
	}
	return sha256.Sum256([]byte(text))
}

// Model fits a model to sentences and returns its file.
func (s Set) Model(sentences []Sentence, table *semantics.Table) []byte {
	l := layout{len(s.Classes), 2 * table.Dim()}
	return model.Encode(s.Classes, model.OriginOf(table, s.Sum()), l.fit(s.read(sentences, table)))
}
