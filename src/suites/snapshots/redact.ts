import { regexOf } from '../../cel/values/regex.js';
import { type AnswerPath, every, membersOf } from '../../client/field-path.js';
import { pointerSteps } from '../../encoding/json-pointer.js';
import { isList, isMap, type Value } from '../../go/value.js';
import type { Redaction } from '../suite.js';

/** An object without the fields that a suite redacts. */
export function redactObject(object: Value, redactions: readonly Redaction[]): Value {
  return redactions.reduce(
    (value, redaction) => ('path' in redaction ? replacedAt(value, redaction.path, () => redaction.as) : value),
    object,
  );
}

/** A patch's operations without the same fields. */
export function redactPatch(operations: readonly Value[], redactions: readonly Redaction[]): Value[] {
  return operations.map(operation =>
    redactions.reduce(
      (value, redaction) => ('path' in redaction ? replacedInOperation(value, redaction.path, () => redaction.as) : value),
      operation,
    ),
  );
}

/** A text without the patterns that a suite redacts. */
export function redactText(text: string, redactions: readonly Redaction[]): string {
  return redactions.reduce(
    (value, redaction) =>
      'pattern' in redaction
        ? regexOf(redaction.pattern)
            .matcher(value)
            .replaceAll(() => redaction.as)
        : value,
    text,
  );
}

/** A patch operation with the value of a field replaced, as far as it sets it. */
export function replacedInOperation(operation: Value, path: AnswerPath, replace: (value: Value) => Value): Value {
  if (!isMap(operation)) return operation;
  const steps = pointerSteps(String(operation.get('path') ?? ''));
  const value = operation.get('value');
  const common = Math.min(steps.length, path.length);
  if (value === undefined || !steps.slice(0, common).every((step, i) => leadsTo(path[i], step))) return operation;
  return new Map([...operation, ['value', replacedAt(value, path.slice(common), replace)]]);
}

/** A patch's `-` is the index after the last item. */
function leadsTo(part: AnswerPath[number] | undefined, step: string): boolean {
  return part === every || String(part) === step || (typeof part === 'number' && step === '-');
}

/** A value with the fields at a path replaced. */
export function replacedAt(value: Value, path: AnswerPath, replace: (value: Value) => Value): Value {
  const [part, ...rest] = path;
  if (part === undefined) return replace(value);
  const replaced = new Map(membersOf(value, part).map(([key, member]) => [key, replacedAt(member, rest, replace)] as const));
  if (isMap(value)) return new Map([...value].map(([key, member]) => [key, replaced.get(key) ?? member]));
  return isList(value) ? value.map((item, i) => replaced.get(i) ?? item) : value;
}
