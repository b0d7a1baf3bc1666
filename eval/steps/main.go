// Command steps counts what it takes to read hostile text: small patterns over and over, where
// a careless rule takes time that grows with the square of the text.
//
// It counts steps, not time, so its figures are the same on every machine. The counters are those
// of coverage, so it has to be built with them:
//
//	go run -cover -covermode=atomic \
//		-coverpkg=mcp-memory/eval/steps,mcp-memory/text/...,strings,slices,regexp,unicode,unicode/utf8 ./eval/steps
//
// --random N tries so many patterns more, of 1 to 4 characters out of those that mean something to
// any of the rules, with --seed as the beginning. It prints the worst of each pass, and fails where
// a byte takes more steps than --most, or a text of four times the length more than six times the steps.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			os.Exit(2)
		}
		fmt.Fprintln(os.Stderr, "steps:", err)
		os.Exit(1)
	}
}

// growth is how many times the steps of a text one of four times the length may take.
const growth = 6

// known are patterns that were slow once, or look as if they could be.
var known = []string{
	"1. ", "\n- a", "\"", "!", "{\"a\":", "[x](", "2026-01-01 ", " x", "[",
	"a.", "a@", "'", "`", "a'", "I am ", "my ", "- ", "\n", "\n\n", "no, ", "(", ".",
	"the end of ", "last ", "from to ", "my sister's ", "before ", "Ann said that ", "if ",
	"because ", "t]to ", "is to @I", "**", "__", "<a ", "</", "~~~", "```", "a: ", "key=", "AKIA",
	"-----BEGIN ", "abandon ", "password ", "=", "\"a\":\"", "Bearer ", "东", "東京に", "。", "\u00a0",
	"\u200d", "é", "I live in Oslo. ", "who? ", "x?", "No. ", "ok\n", "ä ", "im Mai ", "el ", "le 3 ",
}

// alphabet are the characters of random patterns.
var alphabet = strings.Split("a|b|I|A|x|s|t|1|0| | |\n|.|,|:|;|!|?|-|_|*|'|\"|`|(|)|[|]|{|}|<|>|/|\\|@|#|=|%|$|&|+|~|\t|é|。|—|no |I |my |to |in |the |May |is |'s |if |it ", "|")

// random is a pattern of 1 to 4 of them.
func random(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(4) {
		b.WriteString(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

// measured is what a pattern takes in a pass.
type measured struct {
	pass, pattern string
	perByte       float64 // steps
	grows         float64 // times, with four times the length
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("steps", flag.ContinueOnError)
	flags.SetOutput(stderr)
	count := flags.Int("random", 0, "patterns at random besides those that are known")
	seed := flags.Uint64("seed", 1, "beginning of what is random")
	most := flags.Float64("most", 16000, "steps that a byte may take")
	only := flags.String("only", "", "a pass")
	size := flags.Int("size", 4<<10, "bytes of a text; others have four times as many")
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp
	}
	patterns := slices.Clone(known)
	for r := rand.New(rand.NewPCG(*seed, 0)); *count > 0; *count-- {
		patterns = append(patterns, random(r))
	}
	failed := 0
	all := passes()
	if *only != "" {
		all = slices.DeleteFunc(append(all, square), func(p pass) bool { return p.name != *only })
	}
	for _, p := range all {
		all, err := measure(p, patterns, *size, *most)
		if err != nil {
			return err
		}
		slices.SortFunc(all, func(a, b measured) int { return cmp.Compare(b.perByte, a.perByte) })
		for i, m := range all {
			bad := m.perByte > *most || m.grows > growth
			if bad {
				failed++
			}
			if bad && failed < 200 || i < 3 {
				fmt.Fprintf(stdout, "%-26s %-16q %8.0f steps a byte, %5.2f times for four times the length\n", m.pass, m.pattern,
					m.perByte, m.grows)
			}
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d patterns take too many steps", failed)
	}
	return nil
}

// measure reads every pattern in two lengths.
func measure(p pass, patterns []string, size int, most float64) ([]measured, error) {
	p.read("Warm up: I live in Oslo.") // what is compiled and loaded once
	var all []measured
	for _, pattern := range patterns {
		m, err := measureOne(p, pattern, size, most)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// measureOne reads a pattern in two lengths. Where the longer takes too many steps, it does so with
// still longer ones: a rule that is chosen by the length makes one jump, and a square goes on.
func measureOne(p pass, pattern string, size int, most float64) (m measured, err error) {
	few, err := stepsOf(p, repeated(pattern, size))
	for range 3 {
		if err != nil {
			return m, err
		}
		var many int
		many, err = stepsOf(p, repeated(pattern, 4*size))
		m = measured{p.name, pattern, float64(many) / float64(4*size), float64(many) / float64(max(few, size))}
		if m.grows <= growth || m.perByte > most {
			break
		}
		few, size = many, 4*size
	}
	return m, err
}

func stepsOf(p pass, text string) (int, error) {
	return steps(func() { p.read(text) })
}
