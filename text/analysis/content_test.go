package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"mcp-memory/text/analysis"
)

func TestContent(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"stop words go":         {"The doctors were in the hospital", []string{"doctor", "hospit"}},
		"repeats stay":          {"deploy, deployed, deploys", []string{"deploi", "deploi", "deploi"}},
		"camelCase":             {"isFeatureEnabled", []string{"isfeatureen", "featur", "enabl"}},
		"capitals in camelCase": {"HTTPServer", []string{"httpserver", "http", "server"}},
		"no pieces":             {"HTTP server Paris", []string{"http", "server", "pari"}},
		"digits do not cut":     {"sha256Sum v2Beta", []string{"sha256sum", "v2beta"}},
		"snake_case":            {"vat_rate_bp", []string{"vat", "rate", "bp"}},
		"composed accents":      {"café naïveté", []string{"cafe", "naivet"}},
		"decomposed accents":    {"cafe\u0301", []string{"cafe"}},
		"accented camelCase":    {"étéChaud", []string{"etechaud", "et", "chaud"}},
		"folds to a stop word":  {"thé vert", []string{"vert"}},
		"other marks stay":      {"й か\u3099 किताब", []string{"й", "が", "किताब"}},
		"han":                   {"我喜欢猫。", []string{"我喜", "喜欢", "欢猫"}},
		"one character":         {"猫 犬", []string{"猫", "犬"}},
		"kana with long vowel":  {"サーバーです", []string{"サー", "ーバ", "バー", "ーで", "です"}},
		"hangul":                {"회의는 금요일", []string{"회의", "의는", "금요", "요일"}},
		"thai without marks":    {"ที่นี่", []string{"ทน"}},
		"mixed scripts":         {"東京Tower3月", []string{"東京", "tower3", "月"}},
		"invalid bytes":         {"red\xff\xfegreen", []string{"red", "green"}},
		"emoji keycap":          {"1\ufe0f\u20e3 ok", []string{"1", "ok"}},
		"hyphens join":          {"pre-order by e-mail", []string{"pre", "order", "e", "mail", "preorder", "email"}},
		"digits do not join":    {"2026-11-21 -- a-", []string{"2026", "11", "21"}},
		"wide and narrow":       {"Ｂ２０７ ﾌﾟﾘﾝ", []string{"b207", "プリ", "リン"}},
		"nothing":               {"to be, or not to be!", nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got := analysis.Content(c.text); !slices.Equal(got, c.want) {
				t.Errorf("Content(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestEncodedDataHasNoPieces(t *testing.T) {
	data := strings.Repeat("aGVsbG8", 20)
	if got := analysis.IndexText(data); got != data {
		t.Errorf("IndexText added to encoded data: %q", got)
	}
}

func TestIndexText(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "",
		"The plain café":          "The plain café",
		"isFeatureEnabled is on":  "isFeatureEnabled is on\nfeature enabled",
		"猫が好き":                    "猫が好き\n猫が が好 好き",
		"Tokyo 東京, getURL parses": "Tokyo 東京, getURL parses\n東京 get url",
		"bad\xff":                 "bad\uFFFD",
	} {
		if got := analysis.IndexText(text); got != want {
			t.Errorf("IndexText(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestQueryWords(t *testing.T) {
	for text, want := range map[string][]string{
		"":                               nil,
		"Where does my sister work?":     {"sister", "work"},
		"Work, work and WORK!":           {"work"},
		"To be or not to be":             {"to", "be", "or", "not"},
		"what is isFeatureEnabled?":      {"isfeatureenabled", "feature", "enabled"},
		"Café in 東京タ":                    {"cafe", "東京", "京タ"},
		"which meetings were cancelled?": {"meetings", "cancelled"},
	} {
		if got := analysis.QueryWords(text); !slices.Equal(got, want) {
			t.Errorf("QueryWords(%q) = %q, want %q", text, got, want)
		}
	}
}

const twentyWords = "My sister Anna has a new job at the hospital in Utrecht and will deploy " +
	"the first release on Friday morning"

func BenchmarkContent(b *testing.B) {
	for name, text := range map[string]string{
		"ascii":    twentyWords,
		"accented": strings.ReplaceAll(twentyWords, "e", "é"),
		"han":      strings.Repeat("我喜欢猫", 10),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				analysis.Content(text)
			}
		})
	}
}

func BenchmarkStems(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		analysis.Stems(twentyWords)
	}
}
