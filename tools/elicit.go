package tools

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"mcp-memory/memory"
)

// Answer is what the host's user said to a question.
type Answer string

// The answers.
const (
	NotAsked Answer = ""       // there is nobody to ask
	Agreed   Answer = "agreed" // the user wants it done
	Refused  Answer = "refused"
)

// AnswerWithin is how long an answer to a question counts.
const AnswerWithin = 5 * time.Minute

// Ask asks the user of the calling host whether to go on, in an agent's name.
// A host that cannot ask gives [NotAsked]; then an argument has to do. about is
// what else the question is about and not in its words, such as ids: an answer
// only counts for the same.
//
// The first time it returns an error that the caller hands on: the call ends
// there and is made again with the answer. So nothing may be changed before.
// An answer that was not given to this very question, that is too old or was
// used before is [memory.CodeInvalidArgument].
func Ask(ctx context.Context, agent, message string, about ...string) (Answer, error) {
	d, ok := ctx.Value(dialogKey{}).(*dialog)
	if !ok || !canAsk(ctx) {
		return NotAsked, nil
	}
	subject := d.subject(agent, message, about)
	if d.request.RequestState == "" && len(d.request.InputResponses) == 0 {
		state := d.asker.seal(subject)
		return "", cmp.Or[error](d.asker.share(ctx, agent, state, subject), &question{message, state})
	}
	if err := d.asker.accept(ctx, agent, d.request.RequestState, subject); err != nil {
		return "", err
	}
	response := mcpserver.ElicitationResponse(d.request.InputResponses, questionID)
	if response == nil {
		return "", memory.Errorf(memory.CodeInvalidArgument, "inputResponses has no answer to %q", questionID).
			WithHint("call again without requestState")
	}
	if response.Action != mcp.ElicitationResponseActionAccept {
		return Refused, nil
	}
	return Agreed, nil
}

// questionID is the name of the only question that a call asks.
const questionID = "confirm"

// question ends a call that has to be made again with an answer.
type question struct{ message, state string }

// Error implements error. It is only seen where a tool asks outside of a call.
func (q *question) Error() string { return "the user has to be asked: " + q.message }

// result asks the client, in either era; the library translates.
func (q *question) result() *mcp.CallToolResult {
	return mcpserver.NewInputRequestBuilder(q.state).Elicit(questionID, Confirmation(q.message)).ToolResult()
}

// Confirmation is a form with nothing to fill in: the user agrees or not.
func Confirmation(message string) mcp.ElicitationParams {
	return mcp.ElicitationParams{
		Message:         message,
		RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}},
	}
}

// asking returns the question that an error of a call asks, or nil.
func asking(err error) *question {
	var q *question
	errors.As(err, &q)
	return q
}

// canAsk reports whether the client says that it shows forms to its user: with
// this request, or in the older era with the handshake.
func canAsk(ctx context.Context) bool { return ShowsForms(ClientCapabilities(ctx)) }

// ClientCapabilities is what the client says that it can: with the request that ctx is of, or in
// the older era with the handshake.
func ClientCapabilities(ctx context.Context) mcp.ClientCapabilities {
	if info := mcpserver.RequestProtocolInfoFromContext(ctx); info != nil && info.Modern {
		if info.ClientCapabilities != nil {
			return *info.ClientCapabilities
		}
		return mcp.ClientCapabilities{}
	}
	if session, ok := mcpserver.ClientSessionFromContext(ctx).(mcpserver.SessionWithClientInfo); ok {
		return session.GetClientCapabilities()
	}
	return mcp.ClientCapabilities{}
}

// ShowsForms reports whether a client with these capabilities shows forms to
// its user.
func ShowsForms(c mcp.ClientCapabilities) bool {
	e := c.Elicitation
	return e != nil && (e.Form != nil || e.URL == nil)
}

// dialog is what a call has to do with questions.
type dialog struct {
	asker   *asker
	tool    string
	args    []byte
	request mcp.MultiRoundTripParams
}

type dialogKey struct{}

// with returns the context of a call that may ask.
func (a *asker) with(ctx context.Context, tool string, request mcp.CallToolRequest) context.Context {
	args, _ := rawArguments(request) // what cannot be read fails later
	return context.WithValue(ctx, dialogKey{}, &dialog{a, tool, args, request.Params.MultiRoundTripParams})
}

// subject is what an answer is bound to.
func (d *dialog) subject(agent, message string, about []string) []byte {
	h := sha256.New()
	for _, part := range append([]string{agent, d.tool, string(bytes.TrimSpace(d.args)), message}, about...) {
		binary.Write(h, binary.BigEndian, uint64(len(part))) // so that no part runs into the next
		h.Write([]byte(part))
	}
	return h.Sum(nil)
}

// asker signs what a client has to bring back with an answer. The client keeps
// it meanwhile, so without a signature it could answer questions that were
// never asked. The key lives as long as the process; where several servers serve
// one client, they find each other's questions in the database.
type asker struct {
	key    [32]byte
	now    func() time.Time
	shared memory.Shared // nil where there are no other servers

	mu   sync.Mutex
	used map[[nonceBytes]byte]time.Time // answers that were taken, until they are too old anyway
}

const nonceBytes = 16

func newAsker(shared memory.Shared) *asker {
	a := &asker{now: time.Now, shared: shared, used: map[[nonceBytes]byte]time.Time{}}
	rand.Read(a.key[:])
	return a
}

// seal makes the state of a question: when it ends, a number of its own, and
// the signature of both and the subject.
func (a *asker) seal(subject []byte) string {
	state := make([]byte, 8+nonceBytes, 8+nonceBytes+sha256.Size)
	binary.BigEndian.PutUint64(state, uint64(a.now().Add(AnswerWithin).Unix()))
	rand.Read(state[8:])
	return base64.RawURLEncoding.EncodeToString(append(state, a.sign(state, subject)...))
}

func (a *asker) sign(state, subject []byte) []byte {
	h := hmac.New(sha256.New, a.key[:])
	h.Write(state)
	h.Write(subject)
	return h.Sum(nil)
}

// share keeps a question for the server that gets the answer.
func (a *asker) share(ctx context.Context, agent, state string, subject []byte) error {
	if a.shared == nil {
		return nil
	}
	return a.shared.Share(ctx, agent, map[string]string{"question/" + state: hex.EncodeToString(subject)}, AnswerWithin)
}

// accept takes a state once, whichever server has made it.
func (a *asker) accept(ctx context.Context, agent, state string, subject []byte) error {
	if a.shared == nil {
		return a.open(state, subject)
	}
	if _, err := base64.RawURLEncoding.Strict().DecodeString(state); err != nil || len(state) > 2*(8+nonceBytes+sha256.Size) {
		return errNotOfCall
	}
	kept, err := a.shared.Shared(ctx, agent, "question/"+state)
	if err != nil {
		return err
	}
	if kept["question/"+state] != hex.EncodeToString(subject) { // also where it is over, and forgotten
		return errNotOfCall
	}
	taken, err := a.shared.Spend(ctx, agent, "answer/"+state, AnswerWithin, AnswerWithin)
	if err == nil && taken > 0 {
		err = errAnswered
	}
	return err
}

// What is wrong with an answer.
var (
	errNotOfCall = memory.Errorf(memory.CodeInvalidArgument, "requestState is not of this call").
			WithHint("what it is about may have changed: call again without it")
	errAnswered = memory.Errorf(memory.CodeInvalidArgument, "the answer came too late or a second time").
			WithHint("call again without requestState")
)

// open takes a state of this process once.
func (a *asker) open(text string, subject []byte) error {
	state, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(state) != 8+nonceBytes+sha256.Size || !hmac.Equal(state[8+nonceBytes:], a.sign(state[:8+nonceBytes], subject)) {
		return errNotOfCall
	}
	ends := time.Unix(int64(binary.BigEndian.Uint64(state)), 0)
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	for nonce, until := range a.used {
		if now.After(until) {
			delete(a.used, nonce)
		}
	}
	nonce := [nonceBytes]byte(state[8:])
	_, twice := a.used[nonce]
	if now.After(ends) || twice {
		return errAnswered
	}
	a.used[nonce] = ends
	return nil
}
