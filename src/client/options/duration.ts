/** Parses a duration as Kubernetes writes it, into milliseconds; a bare number counts seconds. Undefined for anything else. */
export function durationMs(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)].reduce((sum, [, n, unit]) => sum + Number(n) * unitMs(unit), 0);
}

const units = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

function unitMs(unit: string | undefined): number {
  return unit === 'h' || unit === 'm' || unit === 's' ? units[unit] : units.ms;
}
