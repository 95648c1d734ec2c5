import { readUnstructured } from '../encoding/unstructured.js';
import { forLastText } from '../go/once.js';
import { toValue, type Value } from '../go/value.js';
import type { AnyCallStep, CallSteps } from '../kubernetes/call-steps.js';
import { roundedToMicros } from './rounded-ms.js';

/** Returns the members of a Report for its measured steps. Times are milliseconds since the call arrived, to the microsecond. */
export function stepsDocument({ steps, durationMs }: CallSteps): readonly (readonly [string, Value])[] {
  // The object after a step is the one before the next step that changes it.
  const read = forLastText(readUnstructured);
  return [
    ['durationMs', toValue(roundedToMicros(durationMs))],
    ['steps', steps.map(step => stepDocument(step, read))],
  ];
}

function stepDocument(
  { kind, phase, name, round, startMs, durationMs, webhook, timeoutMs, parts, error, before, after }: AnyCallStep,
  read: (text: string) => Value,
): Value {
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
    ...(before === undefined ? [] : [['before', read(before)] as const]),
    ...(after === undefined ? [] : [['after', read(after)] as const]),
  ]);
}

function entry(name: string, value: unknown): readonly (readonly [string, Value])[] {
  return value === undefined ? [] : [[name, toValue(value)]];
}
