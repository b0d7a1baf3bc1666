package job

import "context"

// Renew renews a lease once.
func (l *Lease) Renew(ctx context.Context) error { return l.renew(ctx) }
