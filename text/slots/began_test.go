package slots_test

import (
	"testing"

	"mcp-memory/text/slots"
)

// A year says when a state began; two of them tell which is the later, whatever was said first.
func TestYearsOfStates(t *testing.T) {
	const leeds, oslo = "I moved to Leeds in March 2019.", "I have lived in Oslo since 2010."
	for _, c := range []struct {
		older, newer string
		want         slots.Relation
	}{
		{oslo, leeds, slots.Certain}, {leeds, oslo, slots.Beside},
		{"I live in Leeds.", oslo, slots.Certain},
		{leeds, "Anna moved to Oslo in 2010.", slots.None},
	} {
		older, newer := slots.Read(c.older, slots.Options{}), slots.Read(c.newer, slots.Options{})
		if got := slots.Between(older, newer); got != c.want {
			t.Errorf("%s, then %s: %s, want %s", c.older, c.newer, got, c.want)
		}
	}
	said := func(text string) *slots.Statement { return &slots.Read(text, slots.Options{})[0] }
	if slots.Order(said(oslo), said(leeds)) != -1 || slots.Order(said(leeds), said(oslo)) != 1 ||
		slots.Order(said("I live in Leeds."), said(oslo)) != 0 ||
		slots.Order(said("I work at Siemens since 2020."), said(oslo)) != 0 ||
		slots.Order(said("Anna has lived in Bath since 2001."), said(oslo)) != 0 {
		t.Error("years are compared wrongly")
	}
}

// A span of years is no part of what is said.
func TestSpansOfYears(t *testing.T) {
	for text, want := range map[string]string{
		"I worked at Bosch from 2010 to 2015.":        "Bosch",
		"I lived in Oslo between 2010 and June 2015.": "Oslo",
		"I lived in Oslo until 2015.":                 "Oslo",
		"I have worked at Siemens since 2020.":        "Siemens",
	} {
		said := slots.Read(text, slots.Options{})
		if len(said) != 1 || said[0].Value != want || said[0].Attribute == "" || said[0].Past == (want == "Siemens") {
			t.Errorf("%s: %+v", text, said)
		}
	}
}
