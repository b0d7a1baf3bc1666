package planning

import "mcp-memory/memory"

// CheckEvent validates an event that was not made by [Service.AddEvent], as one
// that is imported. Errors are those of AddEvent.
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
