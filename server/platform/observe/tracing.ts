import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Span } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';

/**
 * Everything that a span may contain. The values come from tables of this project or are counts: never a path, a name, a
 * key, a token or a message of an error.
 */
export interface SpanAttributes {
  readonly 'http.request.method'?: string;
  /** The pattern of the route. */
  readonly 'http.route'?: string;
  readonly 'http.response.status_code'?: number;
  /** The name in the operation table. */
  readonly 'perpetua.operation'?: string;
  /** A code of protocol/errors.ts, or the class of an unexpected error. */
  readonly 'error.type'?: string;
  readonly 'perpetua.batch.operations'?: number;
  readonly 'perpetua.relay.operations'?: number;
  readonly 'perpetua.confirm.bundles'?: number;
}

/** Milliseconds of performance.now(). */
interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Records a finished span below the span that was current when this was taken. */
export type RecordSpan = (name: string, interval: Interval, attributes?: SpanAttributes) => void;

export interface Tracing {
  /** Runs `work` in a span below the current one. If it throws, the span has the code of the error. */
  span<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result>;
  /** Adds attributes to the current span. */
  annotate(attributes: SpanAttributes): void;
  /** For work that other requests share, such as a batch; null if there is no current span. */
  below(): RecordSpan | null;
  /** Records a finished span of its own, for loops. */
  record: RecordSpan;
  /** Exports what is left, for at most two seconds. */
  stop(): Promise<void>;
}

export const NO_TRACING: Tracing = {
  span: (_name, _attributes, work) => work(),
  annotate: () => undefined,
  below: () => null,
  record: () => undefined,
  stop: async () => undefined,
};

const STOP_MS = 2_000;

/**
 * Exports traces to OTEL_EXPORTER_OTLP_ENDPOINT. Without it nothing is loaded. The provider is not registered globally:
 * Next would add spans of its own, which contain URLs. Trace ids that clients send are ignored.
 */
export async function startTracing(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, SERVICE_NAME, VERSION }: Config,
  log: Logger,
): Promise<Tracing> {
  if (!endpoint) return NO_TRACING;
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new sdk.NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': SERVICE_NAME, 'service.version': VERSION }),
    spanProcessors: [new sdk.BatchSpanProcessor(reporting(exporter, log))],
  });
  const tracer = provider.getTracer('perpetua');
  const current = new AsyncLocalStorage<Span>();
  const contextOf = (parent: Span | undefined) =>
    parent ? api.trace.setSpan(api.ROOT_CONTEXT, parent) : api.ROOT_CONTEXT;
  const at = (milliseconds: number) => performance.timeOrigin + milliseconds;

  const fail = (span: Span, type: string) => {
    span.setAttribute('error.type', type);
    span.setStatus({ code: api.SpanStatusCode.ERROR });
  };
  const recordBelow =
    (parent: Span | undefined): RecordSpan =>
    (name, { from, to }, attributes = {}) => {
      const span = tracer.startSpan(name, { attributes: { ...attributes }, startTime: at(from) }, contextOf(parent));
      if (attributes['error.type']) fail(span, attributes['error.type']);
      span.end(at(to));
    };

  return {
    async span(name, attributes, work) {
      const parent = current.getStore();
      const kind = parent ? api.SpanKind.INTERNAL : api.SpanKind.SERVER;
      const span = tracer.startSpan(name, { attributes: { ...attributes }, kind }, contextOf(parent));
      try {
        return await current.run(span, work);
      } catch (error) {
        fail(span, errorType(error));
        throw error;
      } finally {
        span.end();
      }
    },
    annotate(attributes) {
      const span = current.getStore()?.setAttributes({ ...attributes });
      if ((attributes['http.response.status_code'] ?? 0) >= 500) span?.setStatus({ code: api.SpanStatusCode.ERROR });
    },
    below() {
      const parent = current.getStore();
      return parent ? recordBelow(parent) : null;
    },
    record: recordBelow(undefined),
    async stop() {
      await Promise.race([provider.shutdown().catch(() => undefined), sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}

/** The code of a refusal or of the system, or the name of the class. */
export function errorType(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  const type = typeof code === 'string' && /^[A-Z0-9_]{3,40}$/.test(code) ? code : name;
  return typeof type === 'string' && /^\w{1,60}$/.test(type) ? type : 'Error';
}

type Exporter = import('@opentelemetry/sdk-trace-node').SpanExporter;

/** Logs the first of several failed exports; the SDK itself is silent. */
function reporting(exporter: Exporter, log: Logger): Exporter {
  let failing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed && !failing) log.warn({ reason: errorType(result.error) }, 'traces cannot be exported and are lost');
        failing = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
