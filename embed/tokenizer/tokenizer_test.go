package tokenizer

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The numbers in pieces.jsonl are what the tokenizers library (0.23.2) makes of
// the texts, without unknown pieces.
func TestPiecesAreThoseOfTheReference(t *testing.T) {
	const limit = 512
	rules := map[string]*Tokenizer{}
	for _, name := range []string{"wordpiece", "unigram", "sequence"} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if rules[name], err = New(text); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open("testdata/pieces.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	n := 0
	for ; lines.Scan(); n++ {
		var want struct {
			Rules, Text string
			Pieces      []int32
		}
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		if got := rules[want.Rules].Known(want.Text, limit); !slices.Equal(got, want.Pieces) {
			t.Errorf("%s, %q: %v, want %v", want.Rules, want.Text, got, want.Pieces)
		}
	}
	if n < 90 {
		t.Errorf("%d texts were compared", n)
	}
}

const (
	bertRules = `{"pre_tokenizer":{"type":"BertPreTokenizer"},"model":{"type":"WordPiece","unk_token":"[UNK]","vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"cat":3,"##s":4}}`
	xlmRules  = `{"pre_tokenizer":{"type":"Metaspace","replacement":"▁"},"model":{"type":"Unigram","unk_id":3,"vocab":[["<s>",0],["<pad>",0],["</s>",0],["<unk>",0],["▁",-4],["▁cat",-2],["s",-3]]}`
)

// What a vocabulary does not know is one piece for a word of WordPiece, and for
// characters that stand together of Unigram; or nothing.
func TestUnknownPieces(t *testing.T) {
	for _, test := range []struct {
		rules, text string
		all, known  []int32
	}{
		{bertRules + "}", "cats dog cat!", []int32{3, 4, 0, 3, 0}, []int32{3, 4, 3}},
		{bertRules + "}", strings.Repeat("x", 101), []int32{0}, []int32{}},
		{xlmRules + "}", "cats zz cat", []int32{5, 6, 4, 3, 5}, []int32{5, 6, 4, 5}},
		{strings.Replace(xlmRules, `"unk_id":3,`, "", 1) + "}", "zz", []int32{4}, []int32{4}},
	} {
		k, err := New([]byte(test.rules))
		if err != nil {
			t.Fatal(err)
		}
		if all, known := k.Pieces(test.text, 20), k.Known(test.text, 20); !slices.Equal(all, test.all) || !slices.Equal(known, test.known) {
			t.Errorf("%q: %v and %v, want %v and %v", test.text, all, known, test.all, test.known)
		}
		if got := k.Pieces(test.text, 1); !slices.Equal(got, test.all[:1]) {
			t.Errorf("%q: the first is %v", test.text, got)
		}
	}
}

func TestAround(t *testing.T) {
	nested := func(times int, inner string) string {
		const begin, end = `{"type":"Sequence","processors":[`, `]}`
		return strings.Repeat(begin, times) + inner + strings.Repeat(end, times)
	}
	template := `{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[CLS]"}},{"Sequence":{"id":"A"}},{"SpecialToken":{"id":"[SEP]"}}],"special_tokens":{"[CLS]":{"ids":[1]},"[SEP]":{"ids":[2]}}}`
	for post, want := range map[string]string{
		template: "[1] [2]",
		`{"type":"BertProcessing","sep":["[SEP]",2],"cls":["[CLS]",1]}`:                     "[1] [2]",
		`{"type":"RobertaProcessing","sep":["</s>",2],"cls":["<s>",0],"trim_offsets":true}`: "[0] [2]",
		`{"type":"Sequence","processors":[{"type":"ByteLevel"},` + template + `]}`:          "[1] [2]",
		nested(maxNesting, template):   "[1] [2]",
		nested(maxNesting+1, template): "nested too deep",
		`null`:                         "[] []",
		`{"type":"Magic"}`:             "is not known",
		`{"type":"BertProcessing"}`:    "another form",
		`{"type":"BertProcessing","sep":["[SEP]",5],"cls":["[CLS]",1]}`:                          "the piece 5 of 5",
		`{"type":"BertProcessing","sep":["[SEP]","2"],"cls":["[CLS]",1]}`:                        "another form",
		`{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[X]"}},{"Sequence":{}}]}`: "what \"[X]\" is",
		`{"type":"TemplateProcessing","single":[]}`:                                              "leaves the text out",
		`{"type":"TemplateProcessing","single":[{}]}`:                                            "another form",
	} {
		k, err := New([]byte(bertRules + `,"post_processor":` + post + "}"))
		if err != nil {
			if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "tokenizer.json") {
				t.Errorf("%s: %v, want %q", post, err, want)
			}
			continue
		}
		before, after := k.Around()
		if got := fmt.Sprint(before, after); got != want {
			t.Errorf("%s: %s, want %s", post, got, want)
		}
	}
}

func FuzzRules(f *testing.F) {
	for _, name := range []string{"wordpiece", "unigram", "sequence"} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, "Where does my sister work? é ﬁ 東京")
	}
	f.Add([]byte(bertRules+`,"post_processor":{"type":"BertProcessing","sep":["[SEP]",2],"cls":["[CLS]",1]}}`), "cats")
	f.Fuzz(func(t *testing.T, rules []byte, text string) {
		k, err := New(rules)
		if err != nil {
			return
		}
		before, after := k.Around()
		known, all := k.Known(text, 512), k.Pieces(text, 512)
		for _, id := range slices.Concat(known, all, before, after) {
			if id < 0 || int(id) >= k.Size() {
				t.Errorf("the piece %d of %d", id, k.Size())
			}
		}
		if len(known) > len(all) {
			t.Errorf("%d known pieces of %d", len(known), len(all))
		}
	})
}
