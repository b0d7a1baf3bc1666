package memory

import (
	"context"
	"time"
)

// Shared keeps small values and rate limits that several servers on one database share about their
// clients. They are no part of a bank: writing them is not counted as a change, they are not
// exported, and they expire. Only a store that servers can share over a network implements it.
// Times are those of the database, so that the clocks of servers need not agree. Errors are as for
// [Store].
type Shared interface {
	// Shared returns an agent's values whose keys begin with prefix and whose time is
	// not over.
	Shared(ctx context.Context, agent, prefix string) (map[string]string, error)
	// Share stores values of an agent by their keys, in place of older ones, for the time keep,
	// and deletes those of the agent's values that have expired.
	Share(ctx context.Context, agent string, values map[string]string, keep time.Duration) error
	// Unshare forgets an agent's values whose keys begin with prefix.
	Unshare(ctx context.Context, agent, prefix string) error
	// Spend takes cost out of an agent's token bucket, which holds burst and refills in real
	// time: after a time of burst it is full again. It returns 0, or if there is less than cost
	// takes nothing and returns how long to wait until there is enough. With cost = burst only
	// the first caller succeeds, so that it also serves as a lock.
	Spend(ctx context.Context, agent, bucket string, cost, burst time.Duration) (wait time.Duration, err error)
}
