package slots

import (
	"strings"
	"testing"
)

// keywordQueries are queries as programs ask them, and what they are read as.
var keywordQueries = []struct {
	query, subject, attribute, topic string
	tense                            Tense
	broad                            bool
}{
	// Whose it is: of the user, of somebody of his, of a thing.
	{query: "user location", subject: User, attribute: "home"},
	{query: "user's location", subject: User, attribute: "home"},
	{query: "location", subject: User, attribute: "home"},
	{query: "user current city", subject: User, attribute: "home"},
	{query: "home city", subject: User, attribute: "home"},
	{query: "current address", subject: User, attribute: "address"},
	{query: "user name", subject: User, attribute: "name"},
	{query: "user's name", subject: User, attribute: "name"},
	{query: "user name and profession", subject: User, broad: true},
	{query: "user name role company timezone", subject: User, broad: true},
	{query: "user company name", subject: User, attribute: "work"},
	{query: "user email address", subject: User, attribute: "email"},
	{query: "user timezone", subject: User, attribute: "time_zone"},
	{query: "age of user", subject: User, attribute: "age"},
	{query: "IDE", subject: User, attribute: "editor"},
	{query: "preferred editor", subject: User, attribute: "editor"},
	{query: "editor preference", subject: User, attribute: "editor"},
	{query: "salary", subject: User, attribute: "salary"},
	{query: "rent amount", subject: User, attribute: "rent"},
	{query: "ciudad actual usuario", subject: User, attribute: "home"},
	{query: "wife name", subject: User, attribute: "partner"},
	{query: "wife's name", subject: User, attribute: "partner"},
	{query: "manager name", subject: User, attribute: "manager"},
	{query: "boss", subject: User, attribute: "manager"},
	{query: "dog name", subject: User, attribute: "pet"},
	{query: "son's age", subject: "user's son", attribute: "age"},
	{query: "daughter school", subject: "user's daughter", attribute: "school"},
	{query: "sister's job", subject: "user's sister", attribute: "job"},
	{query: "mom phone", subject: "user's mother", attribute: "phone"},
	{query: "father's car", subject: "user's father", attribute: "car"},
	{query: "wife birthday", subject: "user's partner", attribute: "birthday"},
	{query: "Anna birthday", subject: "anna", attribute: "birthday"},
	{query: "anna birthday", attribute: "birthday", topic: "anna"},
	{query: "office location", attribute: "location", topic: "offic"},

	{query: "tech stack", attribute: "stack"},
	{query: "food intolerances", subject: User, attribute: "allergy"},
	{query: "terminal before ghostty", subject: User, attribute: "terminal", tense: Then},
	{query: "rent before increase", subject: User, attribute: "rent", tense: Then},
	{query: "show diff before changes", topic: "chang diff show"},

	// What is named last is asked for, and what stands behind it is whose.
	{query: "user job employer", subject: User, attribute: "work"},
	{query: "user role company", subject: User, attribute: "work"},
	{query: "food allergies", subject: User, attribute: "allergy"},
	{query: "dietary restrictions", subject: User, attribute: "diet"},
	{query: "car insurance", attribute: "insurance", topic: "car"},
	{query: "postgres version atlas", attribute: "version", topic: "atla postgr"},
	{query: "database version", attribute: "version", topic: "databa"},
	{query: "current deployment target atlas", attribute: "deploy_target", topic: "atla"},
	{query: "CI system atlas", attribute: "ci", topic: "atla"},
	{query: "ci duration", attribute: "build_time"},
	{query: "atlas database", attribute: "database", topic: "atla"},
	{query: "tech stack atlas", attribute: "stack", topic: "atla"},
	{query: "project atlas status", attribute: "status", topic: "atla"},
	{query: "ORM decision", attribute: "orm"},
	{query: "project deadline", attribute: "deadline"},
	{query: "code style indentation", topic: "code indent style"},
	{query: "codeowners infra", topic: "codeown infra"},
	{query: "user table partitioning", topic: "partit tabl user"},

	// Of when it is.
	{query: "previous employer", subject: User, attribute: "work", tense: Then},
	{query: "user previous job", subject: User, attribute: "job", tense: Then},
	{query: "former manager", subject: User, attribute: "manager", tense: Then},
	{query: "old phone number", subject: User, attribute: "phone_number", tense: Then},
	{query: "maiden name", subject: User, attribute: "name", tense: Then},
	{query: "address before Berlin", subject: User, attribute: "address", tense: Then},
	{query: "old CI provider atlas", attribute: "ci", topic: "atla", tense: Then},
	{query: "initial running goal", attribute: "goal", topic: "run", tense: Then},
	{query: "ciudad anterior", subject: User, attribute: "home", tense: Then},
	{query: "job history", subject: User, attribute: "job", tense: History},
	{query: "user location history", subject: User, attribute: "home", tense: History},
	{query: "latest version atlas", attribute: "version", topic: "atla", tense: Latest},
	{query: "7 year old son", subject: "user's son", topic: ""},
	{query: "show diff before changes", topic: "chang diff show"},

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
		if q.Subject != c.subject || q.Attribute != c.attribute || q.Topic != c.topic || q.Tense != c.tense || q.Broad != c.broad {
			t.Errorf("%q: subject %q, attribute %q, topic %q, %v, broad %t", c.query, q.Subject, q.Attribute, q.Topic, q.Tense, q.Broad)
		}
	}
}

// TestAskSentences: what has a verb, or asks by a question word, is no list of keywords.
func TestAskSentences(t *testing.T) {
	for _, query := range []string{"Where do I live?", "what is the user's role", "is Atlas on Postgres 17", "I moved to Oslo", "how to deploy atlas", "did she move"} {
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
		"İİİ user location":                "İİİ user location",
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

// TestAskVersion: the version of a thing of a known kind is told by what says which one it is.
func TestAskVersion(t *testing.T) {
	for query, want := range map[string]string{"postgres version atlas": "database", "database version": "database", "django version": "framework", "api version": "", "postgres port": ""} {
		if got := Ask(query, Options{}).Beside; got != want {
			t.Errorf("%q: %q", query, got)
		}
	}
}

func TestKeywordTable(t *testing.T) {
	rows(keywordsText, func(c []string) {
		if _, class := termClasses[c[0]]; len(c) != 2 || !class && table().byID[strings.TrimPrefix(c[0], "person ")] == nil {
			t.Errorf("neither a class of terms nor an attribute: %q", c[0])
		}
	})
}
