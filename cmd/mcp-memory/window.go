package main

import (
	"os"

	"mcp-memory/contextwindow"
	"mcp-memory/internal/endpoint"
	"mcp-memory/llm"
	"mcp-memory/memory"
	"mcp-memory/text/extractive"
	"mcp-memory/text/semantics"
	"mcp-memory/text/tokens"
	"mcp-memory/workspace"
)

// newSummarizers returns what makes text short, in the order in which it is
// tried: the model that the user configured, the host's, and the built-in one.
func (p *Program) newSummarizers(a *app) ([]memory.Summarizer, error) {
	counter := tokens.NewCounter(p.settings.get("llm.model"))
	builtin := extractive.New(extractive.Options{Counter: counter, Table: semantics.Builtin})
	summarizers := []memory.Summarizer{builtin}
	lend, err := p.settings.bool("llm.sampling")
	if err != nil {
		return nil, err
	}
	if lend {
		a.host = llm.NewHost(builtin, counter)
		summarizers = []memory.Summarizer{a.host, builtin}
	}
	if p.settings.get("llm.url") == "" {
		return summarizers, nil
	}
	chosen, err := p.newChat(counter)
	if err != nil {
		return nil, err
	}
	return append([]memory.Summarizer{chosen}, summarizers...), nil
}

// newChat makes the summarizer of the endpoint that the user configured.
func (p *Program) newChat(counter *tokens.Counter) (memory.Summarizer, error) {
	s := p.settings
	timeout, err := s.duration("llm.timeout")
	if err != nil {
		return nil, err
	}
	input, err := s.int("llm.max_input")
	if err != nil {
		return nil, err
	}
	chat, err := llm.NewOpenAI(llm.OpenAIOptions{Options: endpoint.Options{
		BaseURL: s.get("llm.url"), APIKey: s.get("llm.key"), Model: s.get("llm.model"), Timeout: timeout,
	}})
	if err != nil {
		return nil, err
	}
	return llm.New(chat, "llm", counter, llm.Options{MaxInput: input}), nil
}

// windowSettings reads what a person may choose about context windows.
func (p *Program) windowSettings() (contextwindow.Settings, error) {
	made := contextwindow.DefaultSettings()
	made.Compaction = contextwindow.Trigger(p.settings.get("compaction"))
	for key, target := range map[string]*float64{"context.flush": &made.Flush, "context.compact": &made.Compact} {
		var err error
		if *target, err = p.settings.percent(key); err != nil {
			return made, err
		}
	}
	for key, target := range map[string]*int{
		"memory_window": &made.MemoryWindow, "memory_budget": &made.Memory.Total,
		"memory_budget.episodic": &made.Memory.Episodic, "memory_budget.semantic": &made.Memory.Semantic,
		"memory_budget.procedural": &made.Memory.Procedural, "memory_budget.relationship": &made.Memory.Relationship,
	} {
		var err error
		if *target, err = p.settings.count(key); err != nil {
			return made, err
		}
	}
	return made, made.Check()
}

func (p *Program) windowRules() (*contextwindow.Rules, error) {
	rules, path := contextwindow.DefaultRules(), p.settings.get("context.rules")
	if path == "" {
		return rules, nil
	}
	document, err := os.ReadFile(path)
	if err != nil {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "context.rules cannot be read: %v", err).WithHint("a JSON file, or nothing")
	}
	return rules.With(document)
}

// connectWindow makes the use case of context windows over the others.
func (p *Program) connectWindow(a *app, dir string, summarizers []memory.Summarizer, process self) error {
	chosen, err := p.windowSettings()
	if err != nil {
		return err
	}
	rules, err := p.windowRules()
	if err != nil {
		return err
	}
	a.window = contextwindow.New(contextwindow.Options{
		Store: a.store, Embedder: a.embedder, Remember: a.remember, Recall: contextwindow.Recalls(a.recall), Todos: a.planning,
		Summarizers: summarizers, Files: func(agent string) contextwindow.Files { return workspace.Open(dir, agent) },
		Counter: func(model string) contextwindow.TokenCounter { return tokens.NewCounter(model) },
		Rules:   rules, Clock: p.Clock, IDs: a.ids, Queued: a.worker.Wake, Log: p.log, Settings: chosen,
		Holder: process.name(), Gone: process.gone,
	})
	return nil
}
