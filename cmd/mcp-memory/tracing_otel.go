//go:build otel

package main

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"

	"mcp-memory/access"
)

// tracing returns a function that makes a span for each tool call, and one that ends the export of
// spans. OpenTelemetry reads the standard environment variables itself. If they name no endpoint,
// both functions are nil.
func (p *Program) tracing(ctx context.Context) (trace func(context.Context, string) (context.Context, func(string)),
	stop func(context.Context) error, err error) {
	if !p.wantsTracing() {
		return nil, nil, nil
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, nil, err
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(resource.Environment()))
	tracer := provider.Tracer("mcp-memory")
	trace = func(ctx context.Context, tool string) (context.Context, func(string)) {
		ctx, span := tracer.Start(ctx, "tools/call "+tool)
		span.SetAttributes(attribute.String("mcp.tool", tool))
		if identity, ok := access.From(ctx); ok {
			span.SetAttributes(attribute.String("mcp_memory.agent", identity.Agent))
		}
		return ctx, func(code string) {
			if code != "" {
				span.SetStatus(codes.Error, code)
			}
			span.End()
		}
	}
	return trace, provider.Shutdown, nil
}
