package memory

import (
	"context"
	"time"
)

// Shared is what several servers on one database have to know of each other's
// clients. It is no part of a bank: not counted as a change, not exported, and gone
// after a while. A store implements it where servers may share it over a network.
// Times are those of the database, so that the clocks of servers need not agree.
// Errors are as for [Store].
type Shared interface {
	// Shared returns an agent's values whose keys begin with prefix and whose time is
	// not over.
	Shared(ctx context.Context, agent, prefix string) (map[string]string, error)
	// Share keeps values of an agent by their keys, new or not, for so long, and forgets
	// the agent's values whose time is over.
	Share(ctx context.Context, agent string, values map[string]string, keep time.Duration) error
	// Unshare forgets an agent's values whose keys begin with prefix.
	Unshare(ctx context.Context, agent, prefix string) error
	// Spend takes cost out of an agent's bucket, which holds burst and is full
	// again after as long a time. It returns 0, or takes nothing and returns how long to wait
	// until there is so much. A bucket of which all was spent is like a key that only the first can take.
	Spend(ctx context.Context, agent, bucket string, cost, burst time.Duration) (wait time.Duration, err error)
}
