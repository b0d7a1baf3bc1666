package tools

import (
	"context"
	"fmt"
	"strings"

	"mcp-memory/actions"
	"mcp-memory/cognition"
	"mcp-memory/consolidate"
	"mcp-memory/contextwindow"
	"mcp-memory/link"
	"mcp-memory/memory"
	"mcp-memory/planning"
	"mcp-memory/recall"
	"mcp-memory/remember"
)

// Services has the use cases that the tools call. Without a service, the tools that need it can be
// listed but not called.
type Services struct {
	Remember    *remember.Service
	Recall      *recall.Service
	Consolidate *consolidate.Service
	Link        *link.Service
	Window      *contextwindow.Service
	Cognition   *cognition.Service
	Planning    *planning.Service
	Actions     *actions.Service
	// ForCommands makes texts suggest commands for a person at a command line, in place of calls of
	// tools.
	ForCommands bool
	// Told, unless nil, is called with what each recall and search showed. It must not block.
	Told func(scope memory.Scope, via, query string, a recall.Answer)
	// Unheard, unless nil, returns how many lines that a person added to an agent's memory files
	// are not yet saved as memories.
	Unheard func(agent string) int
}

// unheard wraps a tool's function so that its text says how many lines of the memory files are not
// yet memories, if there are any.
func unheard[In, Out any](s Services, call func(ctx context.Context, scope memory.Scope, in In) (*Out, string, error)) func(context.Context,
	memory.Scope, In) (*Out, string, error) {
	return func(ctx context.Context, scope memory.Scope, in In) (*Out, string, error) {
		out, text, err := call(ctx, scope, in)
		if err == nil && s.Unheard != nil {
			if n := s.Unheard(scope.Agent); n > 0 {
				text = strings.TrimSuffix(text, "\n") +
					fmt.Sprintf("\n%d lines that were added to the memory files are no memories yet; they become so by and by.", n)
			}
		}
		return out, text, err
	}
}

// told passes an answer to s.Told, if that is set.
func (s Services) told(scope memory.Scope, via, query string, a recall.Answer) {
	if s.Told != nil {
		s.Told(scope, via, query, a)
	}
}

// advise returns the command or the tool call of an advice, depending on s.ForCommands.
func (s Services) advise(a memory.Advice) string {
	if s.ForCommands {
		return a.Command
	}
	return a.Tool
}

// undoAdvice says how to undo what has an undo_id: with a tool and its argument undo, or a command.
func undoAdvice(tool, id string) memory.Advice {
	return memory.Advice{Tool: tool + " with undo=" + id + " (on the command line: mcp-memory undo)", Command: "mcp-memory undo " + id}
}

// Tools is the table of all tools, in the order in which they are listed.
func (s Services) Tools() []Tool {
	return []Tool{
		Define(saveSpec, s.save),
		Define(recallSpec, unheard(s, s.recall)),
		Define(searchSpec, unheard(s, s.search)),
		Define(longTermSpec, s.addLongTerm),
		Define(getSpec, s.get),
		Define(updateSpec, s.update),
		Define(forgetSpec, s.forget),
		Define(selfCareSpec, s.selfCare),
		Define(neuralLinkSpec, s.neuralLink),

		Define(appendSpec, s.append),
		Define(assembleSpec, s.assemble),
		Define(statusSpec, s.status),
		Define(compactSpec, s.compact),

		Define(addSoulSpec, s.addSoul),
		Define(listSoulSpec, s.listSoul),
		Define(removeSoulSpec, s.removeSoul),
		Define(saveEpisodeSpec, s.saveEpisode),
		Define(saveTripleSpec, s.saveTriple),
		Define(queryTriplesSpec, s.queryTriples),
		Define(saveProcedureSpec, s.saveProcedure),
		Define(runProcedureSpec, s.runProcedure),
		Define(findProcedureSpec, s.findProcedure),
		Define(updateRelationshipSpec, s.updateRelationship),
		Define(getRelationshipSpec, s.getRelationship),
		Define(writeDiarySpec, s.writeDiary),
		Define(readDiarySpec, s.readDiary),
		Define(recordLearningSpec, s.recordLearning),
		Define(listLearningSpec, s.listLearning),

		Define(addTodoSpec, s.addTodo),
		Define(completeTodoSpec, s.completeTodo),
		Define(listTodoSpec, s.listTodo),
		Define(addEventSpec, s.addEvent),
		Define(checkCalendarSpec, s.checkCalendar),
		Define(removeEventSpec, s.removeEvent),

		Define(requestMemorySpec, s.requestMemory),
		Define(shareMemorySpec, s.shareMemory),

		Define(howSpec, s.how),
		Define(fixSpec, s.fix),
	}
}
