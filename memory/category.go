package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Category is one name of the taxonomy that records are sorted into. The
// description says what belongs there, the examples are sentences that do;
// queries and records are matched to both. Either may be empty.
type Category struct {
	Name        string
	Description string
	Examples    []string
}

// CategoryOther is where a record goes that fits nowhere else.
const CategoryOther = "other"

// CategoryTechnical has what is said of software and machines.
const CategoryTechnical = "technical"

// CategorySecret is where a record goes that nobody should read by chance, such as a password. It
// is not part of the taxonomy, so that no record is put there because of its subject.
const CategorySecret = "secret"

// DefaultCategories is the taxonomy that a bank starts with.
func DefaultCategories() []Category {
	return []Category{
		{Name: "identity",
			Description: "who somebody is: name, age, birthday, birthplace, origin, language, gender, health, pets, home address"},
		{Name: "preference",
			Description: "what somebody likes, loves, dislikes, hates, prefers, enjoys or wants: favourite food, music, colour, style, hobby, habit"},
		{Name: "capability",
			Description: "what somebody or something is able to do: skills, tools, languages spoken, experience, limits, permissions"},
		{Name: CategoryTechnical,
			Description: "software, code, servers, databases, ports, versions, configuration, commands, errors, bugs, APIs, hardware"},
		{Name: "project",
			Description: "a piece of work: its repository, team, status, milestones, deadlines, tasks, conventions, architecture"},
		{Name: "decision", Description: "what was decided, chosen, agreed or rejected, and why: trade-offs, policies, rules"},
		{Name: "social",
			Description: "people and relationships: family, friends, partner, children, colleagues, boss, neighbours, communities"},
		{Name: "financial", Description: "money: prices, costs, salary, budget, invoices, payments, accounts, savings, debt, tax"},
		{Name: "market", Description: "customers, competitors, companies, products, demand, sales, suppliers, trends, industry"},
		{Name: "goal",
			Description: "what somebody aims at, plans, hopes, dreams of or promises: intentions, ambitions, resolutions, targets"},
		{Name: "event", Description: "something that happened or will: meetings, trips, visits, parties, appointments, incidents, dates"},
		{Name: CategoryOther, Description: "anything that fits nowhere else"},
	}
}

// maxCategory is how many characters a category's name has at most.
const maxCategory = 64

// isCategoryName reports whether a name has only the characters of one.
// Compiling a regular expression for it would delay every start.
func isCategoryName(name string) bool {
	for i, r := range name {
		if !unicode.In(r, unicode.Ll, unicode.Lo, unicode.N) && (i == 0 || r != '_' && r != '-') {
			return false
		}
	}
	return name != ""
}

// NormalCategory returns name in the form in which categories are stored:
// trimmed, lower case, blanks as hyphens. A name that has other characters is
// [CodeInvalidArgument]. Any well-formed name is accepted, known or not.
func NormalCategory(name string) (string, error) {
	n := strings.Join(strings.Fields(strings.ToLower(name)), "-")
	if n == "" || utf8.RuneCountInString(n) <= maxCategory && isCategoryName(n) {
		return n, nil
	}
	return "", Errorf(CodeInvalidArgument, "category %q is not a name", name).
		WithHint("letters, digits, - and _, up to %d", maxCategory)
}

// Limits of a taxonomy of a user's own.
const (
	MaxCategories        = 100
	MaxCategoryExamples  = 100
	MaxCategoryTextBytes = 2048 // of a description or an example
)

// NormalCategories returns a user's own taxonomy with its names as categories are stored. A
// category without a description that has the name of a default one gets the description of that.
// [CategoryOther] must not be listed, as it is always there. Errors are [CodeInvalidArgument] for
// no categories or too many, and for a name that is not valid, there twice or that of
// [CategoryOther]; [CodeTooLarge] for a long text.
func NormalCategories(list []Category) ([]Category, error) {
	if len(list) == 0 || len(list) > MaxCategories {
		return nil, Errorf(CodeInvalidArgument, "there are %d categories", len(list)).WithHint("from 1 to %d", MaxCategories)
	}
	known := map[string]string{}
	for _, c := range DefaultCategories() {
		known[c.Name] = c.Description
	}
	seen := map[string]bool{}
	normal := make([]Category, len(list))
	for i, c := range list {
		name, err := NormalCategory(c.Name)
		switch {
		case err != nil:
			return nil, err
		case name == "":
			return nil, Errorf(CodeInvalidArgument, "category %d has no name", i+1).WithHint("a word, such as recipes")
		case name == CategoryOther:
			return nil, Errorf(CodeInvalidArgument, "category %q is what fits nowhere", name).WithHint("leave it out; it is always there")
		case seen[name]:
			return nil, Errorf(CodeInvalidArgument, "category %q is there twice", name).WithHint("put the examples into one")
		case len(c.Examples) > MaxCategoryExamples:
			return nil, Errorf(CodeInvalidArgument, "category %q has %d examples", name, len(c.Examples)).
				WithHint("at most %d", MaxCategoryExamples)
		}
		for _, text := range append([]string{c.Description}, c.Examples...) {
			if err := CheckText("category "+name, text, MaxCategoryTextBytes); err != nil {
				return nil, err
			}
		}
		seen[name], normal[i] = true, c
		normal[i].Name = name
		if c.Description == "" {
			normal[i].Description = known[name]
		}
	}
	return normal, nil
}
