package planning

import "mcp-memory/memory"

// CheckEvent reports what is wrong with an event that was made elsewhere:
// errors are those of [Service.AddEvent].
func CheckEvent(e memory.CalendarEvent) error {
	zone, err := loadZone(e.TimeZone)
	if err != nil {
		return err
	}
	if err := e.Validate(); err != nil || e.Recurrence == "" {
		return err
	}
	_, err = parseRule(e.Recurrence, e.StartsAt.In(zone))
	return err
}
