package foreign

import (
	"maps"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
)

// gptCustom is the custom instructions of a ChatGPT user: who they are and how it should answer.
// Each conversation contains those of its time. The latest ones are kept.
type gptCustom struct {
	profile, instructions string
	profileAt, toldAt     time.Time
}

// note takes the custom instructions from a conversation, where they are a hidden message.
func (g *gptCustom) note(c gptChat) {
	at := anyTime(c.Created)
	for _, id := range slices.Sorted(maps.Keys(c.Mapping)) {
		m := c.Mapping[id].Message
		if m == nil || m.Content.Type != "user_editable_context" {
			continue
		}
		if text := firstText(m.Metadata.Custom.Profile, fenced(m.Content.Profile)); text != "" &&
			(g.profile == "" || at.After(g.profileAt)) {
			g.profile, g.profileAt = text, at
		}
		if text := firstText(m.Metadata.Custom.Instructions, fenced(m.Content.Instructions)); text != "" &&
			(g.instructions == "" || at.After(g.toldAt)) {
			g.instructions, g.toldAt = text, at
		}
	}
}

// fenced returns the text between code fences, or the whole text if there are none. ChatGPT wraps
// some custom instructions in a sentence of its own.
func fenced(text string) string {
	const fence = "```"
	from, to := strings.Index(text, fence), strings.LastIndex(text, fence)
	if from < 0 || to < from+len(fence) {
		return strings.TrimSpace(text)
	}
	return strings.TrimSpace(text[from+len(fence) : to])
}

func (g *gptCustom) emit(emit Emit) error {
	for _, one := range []struct {
		key, title, text string
		at               time.Time
	}{
		{"profile", "What I told ChatGPT about myself", g.profile, g.profileAt},
		{"instructions", "How ChatGPT was to answer me", g.instructions, g.toldAt},
	} {
		if one.text == "" {
			continue
		}
		err := emit.items(Item{
			Program: chatGPTName, Key: Key(chatGPTName, "custom/"+one.key),
			Content: titled(one.title, strings.ReplaceAll(one.text, "\x00", "\uFFFD")),
			Tags:    tagList("instruction", one.key), At: memory.StoredTime(one.at), Review: true,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
