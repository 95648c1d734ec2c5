/** One measured value. */
export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Counters of a server. */
export interface Counters {
  countRequest(verb: string, code: number): void;
  requests(): readonly MetricSample[];
}

/** Counters at zero. */
export function newCounters(): Counters {
  const requests = new Map<string, number>();
  return {
    countRequest: (verb, code) => {
      const key = `${verb} ${code}`;
      requests.set(key, (requests.get(key) ?? 0) + 1);
    },
    requests: () =>
      [...requests].map(([key, value]) => {
        const [verb = '', code = ''] = key.split(' ');
        return { labels: { code, verb }, value };
      }),
  };
}

/** Returns a metric in Prometheus' text format. */
export function printText(name: string, type: 'counter' | 'gauge', help: string, samples: readonly MetricSample[]): string {
  const lines = samples.map(({ labels, value }) => {
    const pairs = Object.entries(labels).map(([key, text]) => `${key}=${JSON.stringify(text)}`);
    return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
  });
  return `${[`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join('\n')}\n`;
}
