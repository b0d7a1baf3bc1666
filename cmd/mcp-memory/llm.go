package main

import (
	"os"
	"time"

	"mcp-memory/internal/endpoint"
	"mcp-memory/llm"
	"mcp-memory/memory"
	"mcp-memory/text/extractive"
	"mcp-memory/text/semantics"
	"mcp-memory/text/tokens"
)

// hookModelTime is how long a model may take for one answer to a hook in the background. After that
// the rules are used instead.
const hookModelTime = time.Minute

// answering reports whether this process was started by a model that the memory has asked. It must
// not ask that model again, which would never end.
func (p *Program) answering() bool { return p.Env(llm.Guard) != "" }

// readsByModel reports whether the user has configured a model that reads conversations.
func (p *Program) readsByModel() bool {
	return !p.answering() && p.settings.get("llm.url")+p.settings.get("llm.command") != ""
}

// newSummarizers returns the summarizers in the order in which they are tried: the models that the
// user configured, the host's model, and the built-in one. While a host waits for its hook, it is
// only the built-in one.
func (p *Program) newSummarizers(a *app) ([]memory.Summarizer, error) {
	counter := tokens.NewCounter(p.settings.get("llm.model"))
	builtin := extractive.New(extractive.Options{Counter: counter, Table: semantics.Builtin})
	var summarizers []memory.Summarizer
	if a.builtin = builtin; p.answering() || p.calling && p.behind == 0 {
		return []memory.Summarizer{builtin}, nil
	}
	lend, err := p.settings.bool("llm.sampling")
	if err != nil {
		return nil, err
	}
	chats, err := p.newChats()
	if err != nil {
		return nil, err
	}
	input, err := p.settings.int("llm.max_input")
	if err != nil {
		return nil, err
	}
	meter, err := p.newMeter()
	if err != nil {
		return nil, err
	}
	for _, chat := range chats {
		summarizers = append(summarizers,
			llm.New(llm.Metered{Chat: chat, Meter: meter, Counter: counter}, "llm", counter, llm.Options{MaxInput: input}))
	}
	if lend && !p.calling {
		a.host = llm.NewHost(builtin, counter)
		summarizers = append(summarizers, a.host)
	}
	return append(summarizers, builtin), nil
}

// newChats makes the models that the user configured: first the endpoint, then the command.
func (p *Program) newChats() (chats []llm.Chat, err error) {
	s := p.settings
	timeout, err := s.duration("llm.timeout")
	if err != nil {
		return nil, err
	}
	if p.calling {
		timeout = min(timeout, hookModelTime)
	}
	if s.get("llm.url") != "" {
		chat, err := llm.NewOpenAI(llm.OpenAIOptions{Options: endpoint.Options{
			BaseURL: s.get("llm.url"), APIKey: s.get("llm.key"), Model: s.get("llm.model"), Timeout: timeout,
		}})
		if err != nil {
			return nil, err
		}
		chats = append(chats, chat)
	}
	if s.get("llm.command") != "" {
		chat, err := llm.NewCommand(llm.CommandOptions{Line: s.get("llm.command"), Environ: os.Environ(), Timeout: timeout})
		if err != nil {
			return nil, err
		}
		chats = append(chats, chat)
	}
	return chats, nil
}
