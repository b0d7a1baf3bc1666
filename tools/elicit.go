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

// Answer is what the user of the host answered to a question.
type Answer string

// The answers.
const (
	NotAsked Answer = ""       // there is nobody to ask
	Agreed   Answer = "agreed" // the user wants it done
	Refused  Answer = "refused"
)

// AnswerWithin is how long after a question its answer is accepted.
const AnswerWithin = 5 * time.Minute

// Ask asks the user of the calling host whether to go on, on behalf of an agent. If the host cannot
// ask, it returns [NotAsked], and the caller has to require an argument such as confirm instead.
// about has what the question depends on but its text does not show, such as ids. An answer is only
// accepted for the same agent, tool, arguments, message and about.
//
// The first time, Ask returns an error that the tool must return too. That ends the call, and the
// client makes the same call again with the user's answer, so the tool must not change anything
// before it asks. [memory.CodeInvalidArgument] means that the answer belongs to another question,
// is older than [AnswerWithin] or was used before.
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

// questionID is the key of the question in a call's input requests. A call asks at most one.
const questionID = "confirm"

// question is the error that ends a call whose user has to be asked. The client sees it as a
// request for input, by the method result.
type question struct{ message, state string }

// Error implements error. Calls over MCP return the method result instead.
func (q *question) Error() string { return "the user has to be asked: " + q.message }

// result returns the call result that asks the client. The library translates it for clients of
// protocol versions that ask in another way.
func (q *question) result() *mcp.CallToolResult {
	return mcpserver.NewInputRequestBuilder(q.state).Elicit(questionID, Confirmation(q.message)).ToolResult()
}

// Confirmation is a form without fields: the user accepts or declines it.
func Confirmation(message string) mcp.ElicitationParams {
	return mcp.ElicitationParams{
		Message:         message,
		RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}},
	}
}

// asking returns the question in the chain of err, or nil.
func asking(err error) *question {
	var q *question
	errors.As(err, &q)
	return q
}

// canAsk reports whether the client declares that it shows forms to its user; see
// [ClientCapabilities].
func canAsk(ctx context.Context) bool { return ShowsForms(ClientCapabilities(ctx)) }

// ClientCapabilities returns the capabilities that the client declares. From protocol version
// 2026-07-28 on they come with each request, before that with the initialize handshake.
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

// dialog is the part of a call that [Ask] needs. It is in the context of the call.
type dialog struct {
	asker   *asker
	tool    string
	args    []byte
	request mcp.MultiRoundTripParams
}

type dialogKey struct{}

// with returns a context in which [Ask] can ask the client of this request.
func (a *asker) with(ctx context.Context, tool string, request mcp.CallToolRequest) context.Context {
	args, _ := rawArguments(request) // invalid arguments are reported later, by answer
	return context.WithValue(ctx, dialogKey{}, &dialog{a, tool, args, request.Params.MultiRoundTripParams})
}

// subject is a SHA-256 of all that a question is about. An answer counts only for its subject.
func (d *dialog) subject(agent, message string, about []string) []byte {
	h := sha256.New()
	for _, part := range append([]string{agent, d.tool, string(bytes.TrimSpace(d.args)), message}, about...) {
		binary.Write(h, binary.BigEndian, uint64(len(part))) // lengths, so that different parts cannot give the same bytes
		h.Write([]byte(part))
	}
	return h.Sum(nil)
}

// asker makes and checks the requestState of questions. The client keeps the state until it sends
// it back with the answer. It is signed, because otherwise a client could answer questions that
// were never asked. The key lives as long as the process. Servers that share clients keep their
// questions in the database instead (shared), where each can find those of the others.
type asker struct {
	key    [32]byte
	now    func() time.Time
	shared memory.Shared // nil where there are no other servers

	mu   sync.Mutex
	used map[[nonceBytes]byte]time.Time // nonces of accepted answers, each until its question expires
}

const nonceBytes = 16

func newAsker(shared memory.Shared) *asker {
	a := &asker{now: time.Now, shared: shared, used: map[[nonceBytes]byte]time.Time{}}
	rand.Read(a.key[:])
	return a
}

// seal makes the state of a question, in base64: the Unix time at which it expires (8 bytes), a
// random nonce, and an HMAC-SHA-256 of both and the subject.
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

// share stores a question in the database for as long as its answer is accepted, so that any server
// can take the answer. It does nothing if there are no other servers.
func (a *asker) share(ctx context.Context, agent, state string, subject []byte) error {
	if a.shared == nil {
		return nil
	}
	return a.shared.Share(ctx, agent, map[string]string{"question/" + state: hex.EncodeToString(subject)}, AnswerWithin)
}

// accept checks that a state is of the question about subject, and that no answer to it was
// accepted before, by any server.
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
	if kept["question/"+state] != hex.EncodeToString(subject) { // also if it has expired, which deletes it
		return errNotOfCall
	}
	taken, err := a.shared.Spend(ctx, agent, "answer/"+state, AnswerWithin, AnswerWithin)
	if err == nil && taken > 0 {
		err = errAnswered
	}
	return err
}

// Errors of answers that are not accepted.
var (
	errNotOfCall = memory.Errorf(memory.CodeInvalidArgument, "requestState is not of this call").
			WithHint("what it is about may have changed: call again without it")
	errAnswered = memory.Errorf(memory.CodeInvalidArgument, "the answer came too late or a second time").
			WithHint("call again without requestState")
)

// open is accept for a single server: it checks the signature of a state that this process made.
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
