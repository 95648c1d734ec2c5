import { compareKeys } from '../../go/key-order.js';

/** Metrics of controller-runtime's webhook server. Source: webhook/internal/metrics, certwatcher/metrics. */
export interface Metrics {
  /** Starts the series of a path. */
  addPath(path: string): void;
  /**
   * Records the start of a request; the returned function is called with its status at the end, or without one when there was no answer:
   * then nothing is counted.
   */
  begin(path: string): (status?: number) => void;
  readonly counters: Record<Counter, number>;
  /** Returns the metrics in Prometheus' text format. */
  text(): string;
}

type Counter = 'panics' | 'conversionPanics' | 'certificateReads' | 'certificateReadErrors';

interface PathSeries {
  inFlight: number;
  /** Observations per bucket, not cumulative. */
  readonly buckets: number[];
  sum: number;
  readonly codes: Map<number, number>;
}

/** Bounds from repeated multiplication of doubles, as in prometheus.ExponentialBuckets. */
const bounds: readonly number[] = Array.from({ length: 11 }).reduce<number[]>(made => [...made, (made.at(-1) ?? 0) * 10], [10e-9]);

export function createMetrics(): Metrics {
  const paths = new Map<string, PathSeries>();
  const counters = { panics: 0, conversionPanics: 0, certificateReads: 0, certificateReadErrors: 0 };
  const seriesOf = (path: string): PathSeries => {
    const known = paths.get(path);
    if (known !== undefined) return known;
    const made: PathSeries = {
      inFlight: 0,
      buckets: bounds.map(() => 0),
      sum: 0,
      codes: new Map([
        [200, 0],
        [500, 0],
      ]),
    };
    paths.set(path, made);
    return made;
  };
  return {
    addPath: seriesOf,
    begin(path) {
      const series = seriesOf(path);
      const started = performance.now();
      series.inFlight += 1;
      return status => {
        series.inFlight -= 1;
        if (status === undefined) return;
        observe(series, (performance.now() - started) / 1000);
        series.codes.set(status, (series.codes.get(status) ?? 0) + 1);
      };
    },
    counters,
    text: () => metricsText(paths, counters),
  };
}

function observe(series: PathSeries, seconds: number): void {
  series.sum += seconds;
  const at = bounds.findIndex(bound => seconds <= bound);
  if (at >= 0) series.buckets[at] = (series.buckets[at] ?? 0) + 1;
}

function metricsText(paths: ReadonlyMap<string, PathSeries>, counters: Readonly<Record<Counter, number>>): string {
  const sorted = [...paths].sort(([a], [b]) => compareKeys(a, b));
  const families: Family[] = [
    counterFamily('certwatcher_read_certificate_errors_total', 'Total number of certificate read errors', counters.certificateReadErrors),
    counterFamily('certwatcher_read_certificate_total', 'Total number of certificate reads', counters.certificateReads),
    counterFamily(
      'controller_runtime_conversion_webhook_panics_total',
      'Total number of conversion webhook panics',
      counters.conversionPanics,
    ),
    {
      name: 'controller_runtime_webhook_latency_seconds',
      type: 'histogram',
      help: 'Histogram of the latency of processing admission requests',
      lines: sorted.flatMap(([path, series]) => histogramLines('controller_runtime_webhook_latency_seconds', path, series)),
    },
    counterFamily('controller_runtime_webhook_panics_total', 'Total number of webhook panics', counters.panics),
    {
      name: 'controller_runtime_webhook_requests_in_flight',
      type: 'gauge',
      help: 'Current number of admission requests being served.',
      lines: sorted.map(([path, { inFlight }]) => `controller_runtime_webhook_requests_in_flight{webhook=${label(path)}} ${inFlight}`),
    },
    {
      name: 'controller_runtime_webhook_requests_total',
      type: 'counter',
      help: 'Total number of admission requests by HTTP status code.',
      lines: codeLines(sorted),
    },
  ];
  return families.map(familyText).join('');
}

interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly lines: readonly string[];
}

function counterFamily(name: string, help: string, value: number): Family {
  return { name, type: 'counter', help, lines: [`${name} ${value}`] };
}

/** Formats a family; one without series is omitted. */
function familyText({ name, type, help, lines }: Family): string {
  return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`;
}

/** Returns series by code, then by path: codes have three digits. */
function codeLines(sorted: readonly (readonly [string, PathSeries])[]): string[] {
  const codes = [...new Set(sorted.flatMap(([, series]) => [...series.codes.keys()]))].sort((a, b) => a - b);
  return codes.flatMap(code =>
    sorted.flatMap(([path, series]) => {
      const count = series.codes.get(code);
      return count === undefined ? [] : [`controller_runtime_webhook_requests_total{code="${code}",webhook=${label(path)}} ${count}`];
    }),
  );
}

function histogramLines(name: string, path: string, { buckets, sum, codes }: PathSeries): string[] {
  const webhook = `webhook=${label(path)}`;
  const count = [...codes.values()].reduce((a, b) => a + b, 0);
  // A series starts with its first request.
  if (count === 0) return [];
  let below = 0;
  const lines = bounds.map((bound, i) => {
    below += buckets[i] ?? 0;
    return `${name}_bucket{${webhook},le="${floatText(bound)}"} ${below}`;
  });
  return [
    ...lines,
    `${name}_bucket{${webhook},le="+Inf"} ${count}`,
    `${name}_sum{${webhook}} ${floatText(sum)}`,
    `${name}_count{${webhook}} ${count}`,
  ];
}

/** Returns a float64 as Go's %g prints it. */
function floatText(value: number): string {
  const exponent = Number(value.toExponential().split('e')[1]);
  if (exponent >= -4 && exponent < 21) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

function label(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}
