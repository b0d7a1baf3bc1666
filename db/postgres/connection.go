package postgres

import (
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// deadAfter is how long the other end of an idle connection may be silent (TCP keepalive), or leave
// sent data unacknowledged (on Linux, see confirmIn), before the connection is closed.
const deadAfter = 20 * time.Second

// dialer returns a dialer whose connections notice within deadAfter that the other machine has
// vanished without closing them.
func dialer(timeout time.Duration) *net.Dialer {
	return &net.Dialer{
		Timeout:         timeout,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: deadAfter / 2, Interval: deadAfter / 8, Count: 4},
		Control:         confirmIn(deadAfter),
	}
}

// warningKey is the key of the last warning in a connection's CustomData.
const warningKey = "mcp-memory: warning"

// noteWarning is the OnNotice handler of connections. It keeps the last warning. A warning during a
// commit means that the commit did less than was asked for: for example, that the transaction is on
// this server, but on none of the standbys in synchronous_standby_names.
func noteWarning(conn *pgconn.PgConn, n *pgconn.Notice) {
	if n.SeverityUnlocalized == "WARNING" {
		conn.CustomData()[warningKey] = n.Message
	}
}

// forgetWarning drops the connection's last warning.
func forgetWarning(conn *pgconn.PgConn) { delete(conn.CustomData(), warningKey) }

// warning returns the last warning on a connection since forgetWarning, "" for none.
func warning(conn *pgconn.PgConn) string {
	said, _ := conn.CustomData()[warningKey].(string)
	return said
}
