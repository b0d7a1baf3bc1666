package transfer

import (
	"context"
	"errors"
	"slices"
	"time"

	"mcp-memory/memory"
	"mcp-memory/transfer/jsonl"
)

// bundledAction is a [memory.Action] without its agent.
type bundledAction struct {
	Type    string            `json:"type"`
	ID      string            `json:"id"`
	Project string            `json:"project,omitempty"`
	Session string            `json:"session"`
	At      time.Time         `json:"at"`
	Kind    memory.ActionKind `json:"kind"`
	Text    string            `json:"text"`
	Dir     string            `json:"dir,omitempty"`
	Host    string            `json:"host,omitempty"`
	About   string            `json:"about,omitempty"`
	Asked   string            `json:"asked,omitempty"`
	Outcome memory.Outcome    `json:"outcome,omitempty"`
	Exit    int               `json:"exit,omitempty"`
	Millis  int64             `json:"ms,omitempty"`
	Tail    string            `json:"tail,omitempty"`
	Hunks   string            `json:"hunks,omitempty"`
}

func lineOfAction(a memory.Action) bundledAction {
	return bundledAction{
		Type: typeAction, ID: a.ID, Project: a.Project, Session: a.Session,
		At: a.At, Kind: a.Kind, Text: a.Text, Dir: a.Dir, Host: a.Host, About: a.About,
		Asked: a.Asked, Outcome: a.Outcome, Exit: a.Exit, Millis: a.Took.Milliseconds(), Tail: a.Tail, Hunks: a.Hunks,
	}
}

func (l bundledAction) action() memory.Action {
	return memory.Action{
		ID: l.ID, Project: l.Project, Session: l.Session, At: l.At, Kind: l.Kind, Text: l.Text, Dir: l.Dir, Host: l.Host, About: l.About,
		Asked: l.Asked, Outcome: l.Outcome, Exit: l.Exit, Took: time.Duration(l.Millis) * time.Millisecond, Tail: l.Tail, Hunks: l.Hunks,
	}
}

// putActions writes actions, which are given newest first, in order of time.
func putActions(actions []memory.Action, out *lineWriter, report *Report) error {
	for _, a := range slices.Backward(actions) {
		if err := out.put(lineOfAction(a)); err != nil {
			return err
		}
	}
	report.Actions = len(actions)
	return nil
}

func (l *bundleLoader) addAction(text []byte) error {
	var line bundledAction
	if err := jsonl.Decode(text, &line); err != nil {
		return err
	}
	a := line.action()
	if line.Millis < 0 || line.Millis > int64(1000*time.Hour/time.Millisecond) {
		return errors.New("the action took no time that is possible")
	}
	var err error
	if a.Project, err = projectOf(a.Project); err != nil {
		return err
	}
	if err := a.Validate(); err != nil {
		return err
	}
	l.items = append(l.items, bundleItem{action: &a})
	l.read.actions++
	return nil
}

// storeActions stores the actions among some items, after the transaction of the others, because
// NoteActions has a transaction of its own.
func (l *bundleLoader) storeActions(ctx context.Context, items []bundleItem, r *Report) error {
	var actions []memory.Action
	for _, item := range items {
		if item.action != nil {
			actions = append(actions, *item.action)
		}
	}
	if len(actions) == 0 {
		return nil
	}
	fresh, err := l.deps.Store.NoteActions(ctx, l.scope.Agent, actions)
	r.Actions, r.Created, r.Duplicates = r.Actions+fresh, r.Created+fresh, r.Duplicates+len(actions)-fresh
	return err
}
