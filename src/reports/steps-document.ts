import { readUnstructured } from '../encoding/unstructured.js';
import { toValue, type Value } from '../go/value.js';
import type { AnyCallStep, CallSteps } from '../kubernetes/call-steps.js';
import { roundedToMicros } from './rounded-ms.js';

/** Returns the members of a Report for its measured steps. Times are milliseconds since the call arrived, to the microsecond. */
export function stepsDocument({ steps, durationMs }: CallSteps): readonly (readonly [string, Value])[] {
  return [
    ['durationMs', toValue(roundedToMicros(durationMs))],
    ['steps', steps.map(stepDocument)],
  ];
}

function stepDocument({
  kind,
  phase,
  name,
  round,
  startMs,
  durationMs,
  webhook,
  timeoutMs,
  parts,
  error,
  before,
  after,
}: AnyCallStep): Value {
  return new Map<string, Value>([
    ['kind', kind],
    ['phase', phase],
    ['name', name],
    ['round', toValue(round)],
    ['startMs', toValue(roundedToMicros(startMs))],
    ['durationMs', toValue(roundedToMicros(durationMs))],
    ...entry('webhook', webhook),
    ...entry('timeoutMs', timeoutMs),
    ...entry(
      'parts',
      parts?.map(part => ({ name: part.name, startMs: roundedToMicros(part.startMs), durationMs: roundedToMicros(part.durationMs) })),
    ),
    ...entry('error', error),
    ...(before === undefined ? [] : [['before', readUnstructured(before)] as const]),
    ...(after === undefined ? [] : [['after', readUnstructured(after)] as const]),
  ]);
}

function entry(name: string, value: unknown): readonly (readonly [string, Value])[] {
  return value === undefined ? [] : [[name, toValue(value)]];
}
