package main

// wantsTracing reports whether the standard environment variables name an endpoint for spans.
func (p *Program) wantsTracing() bool {
	return p.Env("OTEL_SDK_DISABLED") != "true" &&
		(p.Env("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || p.Env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != "")
}
