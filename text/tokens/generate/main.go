// Command generate writes the vocabularies that package tokens embeds. A file
// has each token in the order of rank: one byte with the token's length, then
// its bytes. The vocabularies are those of OpenAI's tiktoken, which
// github.com/pkoukk/tiktoken-go-loader contains.
//
//	go run ./text/tokens/generate text/tokens
package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: generate DIR")
		os.Exit(2)
	}
	for _, name := range []string{"cl100k_base", "o200k_base"} {
		if err := write(name, os.Args[1]); err != nil {
			fmt.Fprintf(os.Stderr, "generate: %s: %v\n", name, err)
			os.Exit(1)
		}
	}
}

func write(name, dir string) error {
	text, err := assets.Assets.ReadFile(name + ".tiktoken")
	if err != nil {
		return err
	}
	var out []byte
	for i, line := range bytes.Split(bytes.TrimSpace(text), []byte{'\n'}) {
		word, rank, _ := bytes.Cut(line, []byte{' '})
		token, err := base64.StdEncoding.AppendDecode(nil, word)
		if err != nil {
			return err
		}
		if string(rank) != fmt.Sprint(i) || len(token) == 0 || len(token) > 255 {
			return fmt.Errorf("line %d is %q", i+1, line)
		}
		out = append(append(out, byte(len(token))), token...)
	}
	return os.WriteFile(filepath.Join(dir, name+".bpe"), out, 0o644)
}
