package foreign

import (
	"bufio"
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

// chatGPT is the export of ChatGPT. Its conversations are trees, of which the branch shown last is
// read.
func chatGPT() Source {
	return Source{
		Name: chatGPTName, About: "ChatGPT: the export of its data, a zip or what is in it; name the file",
		Knows: func(s Sample) bool {
			return strings.Contains(string(s.Head), `"mapping"`) && strings.Contains(string(s.Head), `"current_node"`)
		},
		Read: readChatGPT,
	}
}

// readChatGPT reads the files of conversations of an export.
func readChatGPT(ctx context.Context, in Input, emit Emit) error {
	lists, custom := 0, gptCustom{}
	err := eachExported(in.Path, func(name string, r io.Reader) error {
		if base := path.Base(name); !strings.HasPrefix(base, "conversations") && name != path.Base(in.Path) {
			return nil
		}
		lists++
		return eachChat(ctx, name, r, emit, func(value json.RawMessage) (chat, error) {
			var c gptChat
			err := json.Unmarshal(value, &c)
			custom.note(c)
			return c.chat(), err
		})
	})
	if err == nil && lists == 0 {
		err = wrongForm(in.Path, chatGPTName, "there is no conversations.json in it")
	}
	if err != nil || !in.Instructions {
		return err
	}
	return custom.emit(emit)
}

// chat is a conversation of an export.
type chat struct {
	program   string
	id, title string
	project   string
	at        any // when it began, in any form that anyTime reads
	turns     []memory.Turn
}

// eachChat emits each conversation of a file.
func eachChat(ctx context.Context, name string, r io.Reader, emit Emit, read func(json.RawMessage) (chat, error)) error {
	return eachValue(ctx, name, "conversation", r, emit, func(value json.RawMessage) error {
		c, err := read(value)
		if err == nil && c.id == "" {
			err = errors.New("it has no id")
		}
		if err != nil {
			return notRead{err}
		}
		return emitChat(c, emit)
	})
}

// notRead wraps the reason why one value of an export is skipped.
type notRead struct{ error }

// eachValue calls fn for each value of a JSON file of an export: the elements of a list, else the
// whole file. A value for which fn returns notRead is reported, and the rest is read.
func eachValue(ctx context.Context, name, what string, r io.Reader, emit Emit, fn func(json.RawMessage) error) error {
	from := &capped{&tight{in: r}, maxExported}
	values, list, err := valuesIn(from)
	for n := 1; err == nil && (list && values.More() || !list && n == 1); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		from.left = maxExported
		var value json.RawMessage
		if err = values.Decode(&value); err != nil {
			break
		}
		err = fn(value)
		if errors.As(err, new(notRead)) {
			err = emit.bad(name+", "+what+" "+strconv.Itoa(n), "it cannot be read")
		}
		if err != nil {
			return err
		}
	}
	if err == nil && list {
		_, err = values.Token()
	}
	switch {
	case err == nil || errors.Is(err, errBomb):
		return err
	case memory.CodeOf(err) == memory.CodeTooLarge:
		return emit.bad(name, memory.Public(err).Message+", so the rest cannot be read")
	}
	return emit.bad(name, "it is damaged or cut off, or no JSON")
}

// valuesIn returns a decoder for the values of a file. list says that the file is a JSON array,
// whose opening bracket was consumed.
func valuesIn(r io.Reader) (values *json.Decoder, list bool, err error) {
	in := bufio.NewReader(r)
	if mark, _ := in.Peek(3); string(mark) == "\xef\xbb\xbf" {
		in.Discard(3)
	}
	first := byte(' ')
	for strings.IndexByte(" \n\r\t", first) >= 0 && err == nil {
		first, err = in.ReadByte()
	}
	if err != nil {
		return nil, false, err
	}
	if err = in.UnreadByte(); err != nil {
		return nil, false, err
	}
	values = json.NewDecoder(in)
	if first == '[' {
		_, err = values.Token()
	}
	return values, first == '[', err
}

// emitChat emits a conversation as an episode and in pieces. Talk.Learn stays unset, because
// without a model most of what is said in such chats would be taken for facts about nobody.
func emitChat(c chat, emit Emit) error {
	if len(c.turns) == 0 {
		return nil
	}
	session := Key(c.program, c.id)
	began := anyTime(c.at)
	if began.IsZero() {
		began = c.turns[0].SaidAt
	}
	if title := strings.TrimSpace(c.title); title != "" {
		err := emit(Item{
			Key: session, Project: c.project,
			Content: "A conversation with " + chatNames[c.program] + ": " + title, Kind: memory.KindEpisode, At: began,
			Origin: map[string]any{"session": session},
		})
		if err != nil {
			return err
		}
	}
	for piece := range slices.Chunk(c.turns, pieceTurns) {
		err := emit(Item{
			Key: Key(c.program, c.id+"/"+piece[0].ExternalID), Project: c.project, At: began,
			Talk: &Talk{Session: session, Turns: piece}, Origin: map[string]any{"session": session},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

var chatNames = map[string]string{chatGPTName: "ChatGPT", claudeAIName: "Claude"}

// gptChat is a conversation of ChatGPT. It is a tree, because messages can be edited and answers
// regenerated.
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
			Type         string            `json:"content_type"`
			Parts        []json.RawMessage `json:"parts"`
			Profile      string            `json:"user_profile"`
			Instructions string            `json:"user_instructions"`
		} `json:"content"`
		Metadata struct {
			Hidden bool `json:"is_visually_hidden_from_conversation"`
			Custom struct {
				Profile      string `json:"about_user_message"`
				Instructions string `json:"about_model_message"`
			} `json:"user_context_message_data"`
		} `json:"metadata"`
	} `json:"message"`
}

// chat returns the branch that ends in the current node.
func (c gptChat) chat() chat {
	out := chat{program: chatGPTName, id: firstText(c.ID, c.ID2), title: c.Title, at: c.Created}
	seen := map[string]bool{}
	for at := c.Current; at != "" && !seen[at]; at = c.Mapping[at].Parent {
		seen[at] = true
		m := c.Mapping[at].Message
		if m == nil || m.Metadata.Hidden || m.Author.Role != "user" && m.Author.Role != "assistant" ||
			m.Recipient != "" && m.Recipient != "all" ||
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
			out.turns = append(out.turns,
				chatTurn(m.Author.Role, strings.Join(texts, "\n"), firstText(m.ID, at), timeOr(m.Created, c.Created)))
		}
	}
	slices.Reverse(out.turns)
	return out
}

func chatTurn(role, text, id string, at time.Time) memory.Turn {
	return memory.Turn{Role: memory.Role(role), Content: strings.ReplaceAll(text, "\x00", "\uFFFD"), ExternalID: id, SaidAt: at}
}

// timeOr returns a message's time, or that of its conversation if it has none.
func timeOr(message, conversation any) time.Time {
	if t := anyTime(message); !t.IsZero() {
		return t
	}
	return anyTime(conversation)
}
