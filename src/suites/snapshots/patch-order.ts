import { pointerSteps } from '../../encoding/json-pointer.js';
import { isMap, stringAt, type Value } from '../../go/value.js';

/**
 * Returns the operations of a patch in a canonical order that has the same result: operations that do not depend on each other are sorted by
 * path, dependent ones keep their order. Webhooks in Go compute patches from maps, whose order differs in every run.
 */
export function inCanonicalOrder(operations: readonly Value[]): Value[] {
  let left = operations.map(readOperation);
  const sorted: Value[] = [];
  while (left.length > 0) {
    const free = left.filter((operation, i) => !left.slice(0, i).some(earlier => dependsOn(operation, earlier)));
    const next = free.reduce((least, operation) => (operation.key < least.key ? operation : least));
    sorted.push(next.value);
    left = left.filter(operation => operation !== next);
  }
  return sorted;
}

interface Operation {
  readonly value: Value;
  /** Sort key: equal only for operations that depend on each other. */
  readonly key: string;
  /** The fields it reads or writes. */
  readonly targets: readonly (readonly string[])[];
  /** Whether it may insert or remove items of lists, which moves later items. */
  readonly movesItems: boolean;
}

function readOperation(value: Value): Operation {
  const [op, path, from] = [stringAt(value, 'op'), stringAt(value, 'path'), stringAt(value, 'from')];
  const hasFrom = isMap(value) && value.has('from');
  return {
    value,
    key: `${path}\n${from}\n${op}`,
    targets: [path, ...(hasFrom ? [from] : [])].map(pointerSteps),
    movesItems: op !== 'replace' && op !== 'test',
  };
}

/** Reports whether the order of two operations matters, or may matter. */
function dependsOn(a: Operation, b: Operation): boolean {
  return a.targets.some(target =>
    b.targets.some(
      other => isWithin(target, other) || isWithin(other, target) || isMovedBy(target, other, b) || isMovedBy(other, target, a),
    ),
  );
}

function isWithin(inner: readonly string[], outer: readonly string[]): boolean {
  return outer.every((step, i) => inner[i] === step);
}

/** Reports whether the operation on a list item may move the other target: an item of the same list that is not before it. */
function isMovedBy(target: readonly string[], item: readonly string[], { movesItems }: Operation): boolean {
  const last = item.length - 1;
  const [index, other] = [item[last] ?? '', target[last] ?? ''];
  if (!movesItems || !isIndex(index) || !isIndex(other) || !isWithin(target, item.slice(0, last))) return false;
  // The end of a list, and indexes that count from its end, may be any item.
  return index.startsWith('-') || other.startsWith('-') || Number(other) >= Number(index);
}

function isIndex(step: string): boolean {
  return step === '-' || /^-?\d+$/.test(step);
}
