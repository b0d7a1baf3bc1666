package consolidate

import "time"

// Beat sets the time between renewals of a lease.
func (s *Service) Beat(every time.Duration) { s.beat = every }
