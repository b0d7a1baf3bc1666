package foreign

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-memory/memory"
)

const (
	chatGPTName  = "chatgpt"
	claudeAIName = "claude-ai"
)

// chatGPT is the export of ChatGPT: conversations as trees, of which the branch that was
// shown last is read.
func chatGPT() Source {
	return Source{
		Name: chatGPTName, About: "ChatGPT: the export of its data, a zip or what is in it; name the file",
		Knows: func(s Sample) bool {
			return strings.Contains(string(s.Head), `"mapping"`) && strings.Contains(string(s.Head), `"current_node"`)
		},
		Read: func(ctx context.Context, in Input, emit Emit) error {
			return readChats(ctx, in, chatGPTName, emit, func(value json.RawMessage) (chat, error) {
				var c gptChat
				err := json.Unmarshal(value, &c)
				return c.chat(), err
			})
		},
	}
}

// claudeAI is the export of claude.ai.
func claudeAI() Source {
	return Source{
		Name: claudeAIName, About: "claude.ai: the export of its data, a zip or what is in it; name the file",
		Knows: func(s Sample) bool { return strings.Contains(string(s.Head), `"chat_messages"`) },
		Read: func(ctx context.Context, in Input, emit Emit) error {
			return readChats(ctx, in, claudeAIName, emit, func(value json.RawMessage) (chat, error) {
				var c claudeChat
				err := json.Unmarshal(value, &c)
				return c.chat(), err
			})
		},
	}
}

// chat is a conversation of an export.
type chat struct {
	id, title string
	at        any // when it began
	turns     []memory.Turn
}

// readChats reads the lists of conversations of an export, one by one.
func readChats(ctx context.Context, in Input, program string, emit Emit, read func(json.RawMessage) (chat, error)) error {
	lists := 0
	err := eachExported(in.Path, func(name string, r io.Reader) error {
		if base := path.Base(name); !strings.HasPrefix(base, "conversations") && name != path.Base(in.Path) {
			return nil
		}
		lists++
		return eachChat(ctx, name, r, program, emit, read)
	})
	if err == nil && lists == 0 {
		return wrongForm(in.Path, program, "there is no conversations.json in it")
	}
	return err
}

func eachChat(ctx context.Context, name string, r io.Reader, program string, emit Emit, read func(json.RawMessage) (chat, error)) error {
	from := &capped{r, maxExported}
	list := json.NewDecoder(from)
	if start, err := list.Token(); errors.Is(err, errBomb) {
		return err
	} else if err != nil || start != json.Delim('[') {
		return emit.bad(name, "it is no list of conversations")
	}
	for n := 1; list.More(); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		from.left = maxExported
		var value json.RawMessage
		if err := list.Decode(&value); errors.Is(err, errBomb) {
			return err
		} else if err != nil {
			return emit.bad(name, "it is damaged or cut off after conversation "+strconv.Itoa(n-1))
		}
		c, err := read(value)
		if err == nil && c.id == "" {
			err = errors.New("it has no id")
		}
		if err != nil {
			if err := emit.bad(name+", conversation "+strconv.Itoa(n), "it cannot be read"); err != nil {
				return err
			}
			continue
		}
		if err := emitChat(program, c, emit); err != nil {
			return err
		}
	}
	if _, err := list.Token(); errors.Is(err, errBomb) {
		return err
	} else if err != nil {
		return emit.bad(name, "it is damaged or cut off at its end")
	}
	return nil
}

// emitChat gives a conversation as an episode and in pieces. Facts are not looked
// for: without a model most of what is said to a chat is about nobody.
func emitChat(program string, c chat, emit Emit) error {
	if len(c.turns) == 0 {
		return nil
	}
	session := Key(program, c.id)
	began := anyTime(c.at)
	if began.IsZero() {
		began = c.turns[0].SaidAt
	}
	if title := strings.TrimSpace(c.title); title != "" {
		err := emit(Item{
			Key: session, Content: "A conversation with " + chatNames[program] + ": " + title, Kind: memory.KindEpisode, At: began,
			Origin: map[string]any{"session": session},
		})
		if err != nil {
			return err
		}
	}
	for piece := range slices.Chunk(c.turns, pieceTurns) {
		err := emit(Item{Key: Key(program, c.id+"/"+piece[0].ExternalID), At: began, Talk: &Talk{Session: session, Turns: piece}, Origin: map[string]any{"session": session}})
		if err != nil {
			return err
		}
	}
	return nil
}

var chatNames = map[string]string{chatGPTName: "ChatGPT", claudeAIName: "Claude"}

// gptChat is a conversation of ChatGPT: a tree, since messages can be said anew.
type gptChat struct {
	ID      string             `json:"id"`
	ID2     string             `json:"conversation_id"`
	Title   string             `json:"title"`
	Created any                `json:"create_time"`
	Current string             `json:"current_node"`
	Mapping map[string]gptNode `json:"mapping"`
}

type gptNode struct {
	Parent  string `json:"parent"`
	Message *struct {
		ID     string `json:"id"`
		Author struct {
			Role string `json:"role"`
		} `json:"author"`
		Created   any    `json:"create_time"`
		Recipient string `json:"recipient"`
		Content   struct {
			Type  string            `json:"content_type"`
			Parts []json.RawMessage `json:"parts"`
		} `json:"content"`
		Metadata struct {
			Hidden bool `json:"is_visually_hidden_from_conversation"`
		} `json:"metadata"`
	} `json:"message"`
}

// chat is the branch that ends in the current node.
func (c gptChat) chat() chat {
	out := chat{id: firstText(c.ID, c.ID2), title: c.Title, at: c.Created}
	seen := map[string]bool{}
	for at := c.Current; at != "" && !seen[at]; at = c.Mapping[at].Parent {
		seen[at] = true
		m := c.Mapping[at].Message
		if m == nil || m.Metadata.Hidden || m.Author.Role != "user" && m.Author.Role != "assistant" || m.Recipient != "" && m.Recipient != "all" ||
			m.Content.Type != "text" && m.Content.Type != "multimodal_text" {
			continue
		}
		var texts []string
		for _, part := range m.Content.Parts {
			var text string
			if json.Unmarshal(part, &text) == nil && strings.TrimSpace(text) != "" {
				texts = append(texts, text)
			}
		}
		if len(texts) > 0 {
			out.turns = append(out.turns, chatTurn(m.Author.Role, strings.Join(texts, "\n"), firstText(m.ID, at), timeOr(m.Created, c.Created)))
		}
	}
	slices.Reverse(out.turns)
	return out
}

// claudeChat is a conversation of claude.ai.
type claudeChat struct {
	UUID     string `json:"uuid"`
	Name     string `json:"name"`
	Created  any    `json:"created_at"`
	Messages []struct {
		UUID    string `json:"uuid"`
		Sender  string `json:"sender"`
		Text    string `json:"text"`
		Created any    `json:"created_at"`
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
	} `json:"chat_messages"`
}

func (c claudeChat) chat() chat {
	out := chat{id: c.UUID, title: c.Name, at: c.Created}
	for _, m := range c.Messages {
		var texts []string
		for _, part := range m.Content {
			if part.Type == "text" && strings.TrimSpace(part.Text) != "" {
				texts = append(texts, part.Text)
			}
		}
		if len(m.Content) == 0 && strings.TrimSpace(m.Text) != "" {
			texts = []string{m.Text}
		}
		role := map[string]string{"human": "user", "assistant": "assistant"}[m.Sender]
		if role != "" && len(texts) > 0 {
			out.turns = append(out.turns, chatTurn(role, strings.Join(texts, "\n"), m.UUID, timeOr(m.Created, c.Created)))
		}
	}
	return out
}

func chatTurn(role, text, id string, at time.Time) memory.Turn {
	return memory.Turn{Role: memory.Role(role), Content: strings.ReplaceAll(text, "\x00", "\uFFFD"), ExternalID: id, SaidAt: at}
}

// timeOr is a message's time, or where it has none that of its conversation.
func timeOr(message, conversation any) time.Time {
	if t := anyTime(message); !t.IsZero() {
		return t
	}
	return anyTime(conversation)
}
