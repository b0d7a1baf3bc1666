package slots

import (
	"strings"
	"testing"
)

// keywordQueries are queries as programs ask them, and what they are read as.
var keywordQueries = []struct {
	query, subject, attribute string // of broad ones
	tense                     Tense
	broad                     bool
}{

	{query: "terminal before ghostty", tense: Then},

	// Of when it is.
	{query: "previous employer", tense: Then},
	{query: "user previous job", tense: Then},
	{query: "former manager", tense: Then},
	{query: "old phone number", tense: Then},
	{query: "maiden name", tense: Then},
	{query: "address before Berlin", tense: Then},
	{query: "old CI provider atlas", tense: Then},
	{query: "initial running goal", tense: Then},
	{query: "ciudad anterior", tense: Then},
	{query: "job history", tense: History},
	{query: "user location history", tense: History},
	{query: "latest version atlas", tense: Latest},

	// What no single fact answers.
	{query: "user profile", subject: User, broad: true},
	{query: "about user", subject: User, broad: true},
	{query: "user info", subject: User, broad: true},
	{query: "user background details", subject: User, broad: true},
	{query: "user", subject: User, broad: true},
	{query: "profile", subject: User, broad: true},
	{query: "family", subject: "user's family", broad: true},
	{query: "kids", subject: "user's child", broad: true},
	{query: "user preferences", subject: User, attribute: "preference", broad: true},
	{query: "preferences", attribute: "preference", subject: User, broad: true},
	{query: "recent decisions", attribute: "decision", tense: Latest, broad: true},
	{query: "open todos", attribute: "due", broad: true},
	{query: "pending tasks", attribute: "due", broad: true},
	{query: "upcoming deadlines", attribute: "due", broad: true},
}

func TestAskKeywords(t *testing.T) {
	for _, c := range keywordQueries {
		q := Ask(c.query, Options{})
		if !q.Keywords {
			t.Errorf("%q: taken for a sentence", c.query)
		}
		if q.Tense != c.tense || q.Broad != c.broad || c.broad && (q.Subject != c.subject || q.Attribute != c.attribute) {
			t.Errorf("%q: subject %q, attribute %q, %v, broad %t", c.query, q.Subject, q.Attribute, q.Tense, q.Broad)
		}
	}
}

// TestAskSentences: what has a verb, or asks by a question word, is no list of keywords.
func TestAskSentences(t *testing.T) {
	for _, query := range []string{"Where do I live?", "what is the user's role", "is Atlas on Postgres 17", "I moved to Oslo",
		"how to deploy atlas", "did she move"} {
		if Ask(query, Options{}).Keywords {
			t.Errorf("%q: taken for keywords", query)
		}
	}
}

// TestBare: what says only whose it is, or of when, is left out of what is searched for.
func TestBare(t *testing.T) {
	for query, want := range map[string]string{
		"user location":                    "location",
		"user's name":                      "name",
		"previous employer":                "employer",
		"job history":                      "job",
		"Where does the user live?":        "Where does   live?",
		"what is the user's role":          "what is   role",
		"where did user live before":       "where did  live before",
		"current shift":                    "current shift",
		"user table partitioning":          "user table partitioning",
		"Which user roles does Atlas have": "Which user roles does Atlas have",
		"user":                             "user",
		"My old phone number?":             "My old phone number?",
		"İİİ user location":                "İİİ  location",
	} {
		q := Ask(query, Options{})
		if got := q.Bare(query); got != want {
			t.Errorf("%q: %q", query, got)
		}
	}
	q := Ask("the location of the user", Options{})
	if got := q.Bare("a b"); got != "a b" {
		t.Errorf("of another text: %q", got)
	}
}

func TestKeywordTable(t *testing.T) {
	rows(keywordsText, func(c []string) {
		if _, class := termClasses[c[0]]; len(c) != 2 || !class && table().byID[strings.TrimPrefix(c[0], "person ")] == nil {
			t.Errorf("neither a class of terms nor an attribute: %q", c[0])
		}
	})
}
