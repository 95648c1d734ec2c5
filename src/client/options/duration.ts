import type { ValueType } from './value-type.js';

/** A duration in a unit, with its limits in milliseconds. */
export interface DurationLimits {
  readonly unit: 'Ms' | 'Seconds';
  readonly minMs: number;
  readonly maxMs: number;
}

/** A duration as Kubernetes writes it, within bounds: `10s`, `1m30s`, `500ms`; a bare number counts seconds. In the given unit, in whole seconds if those. */
export function durationValue({ unit, minMs, maxMs }: DurationLimits): ValueType<number> {
  return {
    parse: text => {
      const ms = durationMs(text);
      if (ms === undefined || ms < minMs || ms > maxMs) return undefined;
      if (unit === 'Ms') return ms;
      return ms % 1000 === 0 ? ms / 1000 : undefined;
    },
    expected: `a duration from ${minMs / 1000}s to ${maxMs / 1000}s${unit === 'Seconds' ? ', in whole seconds' : ''}`,
    schema: { type: 'string' },
  };
}

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
