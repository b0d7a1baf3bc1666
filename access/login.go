package access

import (
	"context"
	"time"
)

// Login is somebody whom an issuer has signed in.
type Login struct {
	Identity Identity
	Until    time.Time // from then on the issuer has to be asked again
	Refresh  string    // what it is asked with; "" if it gave nothing for that
}

// Attempt is one attempt to sign in: three secrets of its own, each of at least 128 random bits.
type Attempt struct {
	State    string // comes back with the answer, by which it is known to be to this attempt
	Nonce    string // has to be in the token
	Verifier string // shows to the issuer that who fetches the token began the attempt; 43 to 128 letters, digits, - and _
}

// SignIn is the dialogue of an issuer with a person.
type SignIn interface {
	// Name is what people know the issuer by, such as id.example.com.
	Name() string
	// Begin returns the address at the issuer to which a person is to be sent, who comes back to redirect with
	// a code. [memory.CodeUnavailable] if the issuer does not answer.
	Begin(redirect string, a Attempt) (string, error)
	// Finish returns who came back with a code. [memory.CodeForbidden] if the code or the token is
	// not for this attempt or not valid, [memory.CodeUnavailable] if that cannot be told.
	Finish(ctx context.Context, redirect, code string, a Attempt) (Login, error)
	// Renew asks again, after a login's time. [memory.CodeForbidden] if the issuer ended it, or it was not to be
	// renewed, [memory.CodeUnavailable] if that cannot be told; a Refresh that the issuer gave meanwhile is then
	// in the login, alone, and to be used the next time.
	Renew(ctx context.Context, l Login) (Login, error)
}
