import { pointerSteps } from '../../encoding/node-places.js';
import { isList, isMap, type Value } from '../../go/value.js';
import { membersOf } from '../field-path.js';
import { every, type FieldPath, type Redaction } from '../suite.js';

/** An object without the fields that a suite does not want to look at. */
export function redactObject(object: Value, redactions: readonly Redaction[]): Value {
  return redactions.reduce((value, redaction) => ('path' in redaction ? replacedAt(value, redaction.path, redaction.as) : value), object);
}

/** A patch's operations without the same fields. */
export function redactPatch(operations: readonly Value[], redactions: readonly Redaction[]): Value[] {
  return operations.map(operation =>
    redactions.reduce(
      (value, redaction) => ('path' in redaction ? redactOperation(value, redaction.path, redaction.as) : value),
      operation,
    ),
  );
}

/** A text without what a suite does not want to look at in any text. */
export function redactText(text: string, redactions: readonly Redaction[]): string {
  return redactions.reduce(
    (value, redaction) => ('pattern' in redaction ? redaction.pattern.regex.matcher(value).replaceAll(() => redaction.as) : value),
    text,
  );
}

function redactOperation(operation: Value, path: FieldPath, as: string): Value {
  if (!isMap(operation)) return operation;
  const steps = pointerSteps(String(operation.get('path') ?? ''));
  const value = operation.get('value');
  const common = Math.min(steps.length, path.length);
  if (value === undefined || !steps.slice(0, common).every((step, i) => leadsTo(path[i], step))) return operation;
  return new Map([...operation, ['value', replacedAt(value, path.slice(common), as)]]);
}

/** A patch's `-` is the item behind the last. */
function leadsTo(part: FieldPath[number] | undefined, step: string): boolean {
  return part === every || String(part) === step || (typeof part === 'number' && step === '-');
}

function replacedAt(value: Value, path: FieldPath, as: string): Value {
  const [part, ...rest] = path;
  if (part === undefined) return as;
  const replaced = new Map(membersOf(value, part).map(([key, member]) => [key, replacedAt(member, rest, as)] as const));
  if (isMap(value)) return new Map([...value].map(([key, member]) => [key, replaced.get(key) ?? member]));
  return isList(value) ? value.map((item, i) => replaced.get(i) ?? item) : value;
}
