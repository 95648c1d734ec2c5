import { readUnstructured } from '../encoding/unstructured.js';
import { toValue, type Value } from '../go/value.js';
import type { CallSteps, Step } from '../kubernetes/call-steps.js';

/** Returns the members of a Report for its measured steps. Times are milliseconds since the call arrived, to the microsecond. */
export function stepsDocument({ steps, durationMs }: CallSteps): readonly (readonly [string, Value])[] {
  return [
    ['durationMs', micros(durationMs)],
    ['steps', steps.map(stepDocument)],
  ];
}

function stepDocument({ kind, phase, name, round, startMs, durationMs, webhook, timeoutMs, parts, error, before, after }: Step): Value {
  return new Map<string, Value>([
    ['kind', kind],
    ['phase', phase],
    ['name', name],
    ['round', toValue(round)],
    ['startMs', micros(startMs)],
    ['durationMs', micros(durationMs)],
    ...entry('webhook', webhook),
    ...entry('timeoutMs', timeoutMs),
    ...entry(
      'parts',
      parts?.map(part => ({ name: part.name, startMs: micros(part.startMs), durationMs: micros(part.durationMs) })),
    ),
    ...entry('error', error),
    ...(before === undefined ? [] : [['before', readUnstructured(before)] as const]),
    ...(after === undefined ? [] : [['after', readUnstructured(after)] as const]),
  ]);
}

function entry(name: string, value: unknown): readonly (readonly [string, Value])[] {
  return value === undefined ? [] : [[name, toValue(value)]];
}

function micros(milliseconds: number): Value {
  return toValue(Math.round(milliseconds * 1000) / 1000);
}
