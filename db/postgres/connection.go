package postgres

import (
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// deadAfter is how long the other end of a connection may be silent to the system's own
// questions, or leave what was sent unconfirmed: then it is gone.
const deadAfter = 20 * time.Second

// dialer opens connections that notice when the other machine has vanished without a word.
func dialer(timeout time.Duration) *net.Dialer {
	return &net.Dialer{
		Timeout:         timeout,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: deadAfter / 2, Interval: deadAfter / 8, Count: 4},
		Control:         confirmIn(deadAfter),
	}
}

// warningKey is where a connection keeps the last warning.
const warningKey = "mcp-memory: warning"

// noteWarning is told what the server says aside. A warning during a commit means that it is not
// what was asked for: for one, that the transaction is on this server, and on none of the standbys
// that synchronous_standby_names wants it on.
func noteWarning(conn *pgconn.PgConn, n *pgconn.Notice) {
	if n.SeverityUnlocalized == "WARNING" {
		conn.CustomData()[warningKey] = n.Message
	}
}

// forgetWarning begins anew.
func forgetWarning(conn *pgconn.PgConn) { delete(conn.CustomData(), warningKey) }

// warning returns the last warning on a connection, "" for none.
func warning(conn *pgconn.PgConn) string {
	said, _ := conn.CustomData()[warningKey].(string)
	return said
}
