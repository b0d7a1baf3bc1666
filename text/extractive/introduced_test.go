package extractive

import (
	"slices"
	"testing"
)

// What is told of somebody in a request, or right behind it, is kept; what the request is about is not.
func TestToldInRequests(t *testing.T) {
	for _, c := range []struct {
		talk string
		want []string
	}{
		{"u Write a short poem for my dog Bruno, he's 13 and nearly deaf.", []string{"The user's dog Bruno is 13 and nearly deaf."}},
		{"u Write a short poem for my dog Bruno. He's 13 and nearly deaf.", []string{"The user's dog Bruno is 13 and nearly deaf."}},
		{"u Can you find a vet for my cat Minka, she's 16 and has kidney trouble?",
			[]string{"The user's cat Minka is 16 and has kidney trouble."}},
		{"u Suggest a present for my sister Imke, who is a beekeeper.", []string{"The user's sister Imke is a beekeeper."}},
		{"u Write a bio for my colleague Radu. He's led the mobile team since 2019.",
			[]string{"The user's colleague Radu has led the mobile team since 2019."}},
		{"u Translate this for my neighbour please. She only speaks Tigrinya.", []string{"The user's neighbour only speaks Tigrinya."}},

		{"u find a gift for my wife, she loves orchids", []string{"The user's wife loves orchids."}},
		{"u Explain recursion to my son. He's never seen code.", []string{"The user's son has never seen code."}},
		{"u Give my nephew Ole a riddle. He hates spiders.", []string{"The user's nephew Ole hates spiders."}},

		{"u Recommend a school for my son, he's 12.", []string{"The user's son is 12."}},
		{"u Write a poem for my brother Tom. My boss is called Kurt. He hates mornings.",
			[]string{"The user's boss is called Kurt. He hates mornings."}},

		{"u Imagine I'm an astronaut. Write a letter to my wife, she loves Mars.", nil},
		{"u Find my notes about the client, he's waiting in the hall.", nil},
		{"u Write to my manager Ute, she thinks it's a bug.", nil},
		{"u Write to my client, he wants a refund.", nil},
		{"u Write a card for my sister, she might move to Rome.", nil},
		{"u Explain to my manager Ute why, she thinks it's a bug.", nil},
		{"u Make a table of my expenses. She likes tables.", nil},
		{"u Write a short story for my kids. She fights a dragon named Smaug.", nil},
		{"u Write a story about my brother Tom, he's a pirate king.", nil},
		{"u Fix my function, it's failing on empty input.", nil},
		{"u Write a test for my parser. It should fail on empty input.", nil},
		{"u Explain my options, who can help here?", nil},
		{"u Write a reply to my boss who is waiting for it.", nil},
		{"u Review my PR. She approved of it.", nil},
		{"u Write a poem for my dog Bruno. Would he like it?", nil},
	} {
		if got := factsOf(t, c.talk); !slices.Equal(got, c.want) {
			t.Errorf("%s\n got %q\nwant %q", c.talk, got, c.want)
		}
	}
}
