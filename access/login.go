package access

import (
	"context"
	"time"
)

// Login is a person whom an issuer has signed in.
type Login struct {
	Identity Identity
	Until    time.Time // when the issuer has to be asked again, by Renew
	Refresh  string    // refresh token; "" if the issuer gave none
}

// Attempt has the secrets of one attempt to sign in. Each has at least 128 random bits.
type Attempt struct {
	State    string // comes back with the code, and shows that it belongs to this attempt
	Nonce    string // has to be in the ID token
	Verifier string // PKCE code verifier: shows that the same program began the attempt; 43 to 128 letters, digits, - and _
}

// SignIn is the sign-in of a person at an issuer.
type SignIn interface {
	// Name returns the name by which people know the issuer, such as id.example.com.
	Name() string
	// Begin returns the URL at the issuer to which the person is sent. The issuer then redirects to
	// redirect with a code. [memory.CodeUnavailable] if the issuer does not answer.
	Begin(redirect string, a Attempt) (string, error)
	// Finish exchanges the code for the login. [memory.CodeForbidden] if the code or the token is
	// not valid or belongs to another attempt, [memory.CodeUnavailable] if that cannot be decided.
	Finish(ctx context.Context, redirect, code string, a Attempt) (Login, error)
	// Renew asks the issuer again when a login has expired. [memory.CodeForbidden] if the issuer
	// ended the login or it cannot be renewed, [memory.CodeUnavailable] if that cannot be decided.
	// In the latter case the returned login may have nothing but a new Refresh, which has to be
	// used the next time.
	Renew(ctx context.Context, l Login) (Login, error)
}
