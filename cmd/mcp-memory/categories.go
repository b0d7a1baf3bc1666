package main

import (
	"errors"
	"strings"

	"github.com/goccy/go-yaml"

	"mcp-memory/memory"
)

// defaultsName is the entry of the setting categories that stands for all default categories.
const defaultsName = "defaults"

// ownCategory is an entry of the setting categories with fields. An entry can also be a name alone.
type ownCategory struct {
	Name        string   `yaml:"name"`
	Description string   `yaml:"description"`
	Examples    []string `yaml:"examples"`
}

// categories returns the taxonomy of the setting, or the default one.
func (s settings) categories() ([]memory.Category, error) {
	const key = "categories"
	text := strings.TrimSpace(s.get(key))
	if text == "" {
		return memory.DefaultCategories(), nil
	}
	var entries []any
	if !strings.ContainsAny(text[:1], "[-") { // names separated by commas
		for _, name := range strings.Split(text, ",") {
			entries = append(entries, name)
		}
	} else if err := yaml.Unmarshal([]byte(text), &entries); err != nil {
		return nil, s.wrongCategories("it is neither a list nor names with commas")
	}
	list, err := readCategories(entries)
	if err == nil {
		list, err = memory.NormalCategories(list)
	}
	var known *memory.Error
	if errors.As(err, &known) {
		return nil, s.wrongCategories(known.Message)
	}
	return list, err
}

func (s settings) wrongCategories(why string) error {
	return memory.Errorf(memory.CodeInvalidArgument, "categories (%s): %s", s.origins["categories"], why).
		WithHint("a list of names, and of {name, description, examples}; %s stands for the default ones", defaultsName)
}

// readCategories makes categories of entries, each a name or a map with fields. "defaults" stands
// for the default categories without those that have an entry of their own.
func readCategories(entries []any) ([]memory.Category, error) {
	var list []memory.Category
	own := map[string]bool{memory.CategoryOther: true}
	defaults := -1
	for i, entry := range entries {
		var c ownCategory
		switch e := entry.(type) {
		case string:
			if c.Name = strings.TrimSpace(e); c.Name == defaultsName {
				if defaults >= 0 {
					return nil, memory.Errorf(memory.CodeInvalidArgument, "%s is there twice", defaultsName)
				}
				defaults = len(list)
				continue
			}
		case map[string]any:
			text, err := yaml.Marshal(e)
			if err == nil {
				err = yaml.UnmarshalWithOptions(text, &c, yaml.DisallowUnknownField())
			}
			if err != nil {
				return nil, memory.Errorf(memory.CodeInvalidArgument,
					"entry %d has something else than name, description and examples", i+1)
			}
		default:
			return nil, memory.Errorf(memory.CodeInvalidArgument, "entry %d is neither a name nor a category", i+1)
		}
		if name, err := memory.NormalCategory(c.Name); err == nil {
			own[name] = true
		}
		list = append(list, memory.Category(c))
	}
	if defaults < 0 {
		return list, nil
	}
	whole := list[:defaults:defaults]
	for _, c := range memory.DefaultCategories() {
		if !own[c.Name] {
			whole = append(whole, c)
		}
	}
	return append(whole, list[defaults:]...), nil
}
