//go:build !otel

package main

import "context"

// tracing is not in this build, because OpenTelemetry's exporter would be a third of the program's
// size.
func (p *Program) tracing(context.Context) (trace func(context.Context, string) (context.Context, func(string)),
	stop func(context.Context) error, err error) {
	if p.wantsTracing() {
		p.log.Warn("this build does not trace; build with -tags otel to send spans to OTEL_EXPORTER_OTLP_ENDPOINT")
	}
	return nil, nil, nil
}
