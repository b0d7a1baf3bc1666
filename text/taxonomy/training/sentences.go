// Package training makes the model of the categories (package model) from the
// sentences beside it: a file for each category, the easy ones first, then,
// below "# hard", those without a telltale word. They are invented, written
// for this project and under its licence; whoever adds or changes one runs
//
//	go run ./eval/taxonomy --write text/taxonomy/categories.model
//
// which takes some seconds. The same holds for a change of the semantic table,
// of lexicon.txt or of the features; tests notice what was forgotten.
//
// The fit has no chance in it: the same sentences and table give the same
// model on the same kind of processor. The program does not contain this package.
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

//go:embed *.txt
var files embed.FS

// Sentence is an example of a category.
type Sentence struct {
	Text     string
	Category string
	Hard     bool // without a word that gives the category away
}

// Categories returns the names of the categories that there are sentences
// for, [memory.CategoryOther] last.
func Categories() []string {
	var names []string
	for _, c := range memory.DefaultCategories() {
		names = append(names, c.Name)
	}
	return names
}

// Sentences returns all sentences, category by category. It panics where the
// file of a category is missing.
func Sentences() []Sentence {
	var all []Sentence
	for _, name := range Categories() {
		hard := false
		for line := range strings.Lines(file(name)) {
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

func file(category string) string {
	text, err := files.ReadFile(category + ".txt")
	if err != nil {
		panic(fmt.Sprintf("training: sentences of a category: %v", err))
	}
	return string(text)
}

// Sum returns the SHA-256 over lexicon and sentences, by which a model is told
// to be theirs.
func Sum() [32]byte {
	text := model.Lexicon()
	for _, name := range Categories() {
		text += "\x00" + name + "\x00" + file(name)
	}
	return sha256.Sum256([]byte(text))
}

// Model fits a model to sentences and returns its file.
func Model(sentences []Sentence, table *semantics.Table) []byte {
	return model.Encode(Categories(), model.OriginOf(table, Sum()), fit(read(sentences, table), 2*table.Dim()))
}
