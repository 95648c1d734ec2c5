import { compareKeys } from '../../../go/key-order.js';
import { goTypeOf, printGo } from '../../../go/print.js';
import { quote } from '../../../go/quote.js';
import { isList, isMap, isRawJson, type Value } from '../../../go/value.js';

import { type Atom, isAssociative, type ListAtom, type MapAtom, memberType, type Scalar } from './atom.js';
import { type AtomHandler, handleValue } from './handle-atom.js';
import { itemElement } from './list-items.js';
import { elementText, fieldElement, type PathElement, printElement } from './path-element.js';

/** Part of a value that its type does not allow. */
export interface SchemaProblem {
  /** `.spec.containers[name="a"]` */
  readonly path: string;
  readonly message: string;
}

/** Value that does not fit its type; a single problem is the message itself, several are on separate lines. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';

  constructor(problems: readonly SchemaProblem[]) {
    const texts = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    super(texts.length === 1 ? texts.join('') : ['errors:', ...texts.map(text => `  ${text}`)].join('\n'));
  }
}

/** Whether items of a list may share a key. */
export type DuplicateRule = 'allow duplicates' | 'no duplicates';

/**
 * Throws SchemaError when a value does not fit its type. Problems are in the order of the value; in the API server the order of map members
 * is random. Source: structured-merge-diff typed/validate.go.
 */
export function validateTyped(value: Value, type: Atom, rule: DuplicateRule): void {
  const walk: Walk = { rule, path: [], problems: [] };
  visit(value, type, walk);
  if (walk.problems.length > 0) throw new SchemaError(walk.problems);
}

interface Walk {
  readonly rule: DuplicateRule;
  /** Steps to the current value: names of members, indexes, and items' keys. */
  readonly path: (string | number | PathElement)[];
  readonly problems: SchemaProblem[];
}

interface VisitedValue extends Walk {
  readonly value: Value;
}

const visitor: AtomHandler<VisitedValue, void> = {
  onScalar: (scalar, place) => {
    visitScalar(place, scalar);
  },
  onList: (list, place) => {
    visitList(place, list);
  },
  onMap: (map, place) => {
    visitMap(place, map);
  },
};

function visit(value: Value, type: Atom, { rule, path, problems }: Walk): void {
  if (value !== null) handleValue(type, value, visitor, { value, rule, path, problems });
}

function visitScalar(place: VisitedValue, scalar: Scalar): void {
  const { value } = place;
  const isNumber = typeof value === 'bigint' || typeof value === 'number';
  const isScalar = isNumber || typeof value === 'string' || typeof value === 'boolean';
  if (scalar === 'numeric' && !isNumber) problem(place, `expected numeric (int or float), got ${goTypeOf(value)}`);
  else if (scalar === 'string' && typeof value !== 'string')
    problem(place, `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
  else if (scalar === 'boolean' && typeof value !== 'boolean') problem(place, `expected boolean, got ${wrapped(value)}`);
  else if (scalar === 'untyped' && !isScalar) problem(place, `expected any scalar, got ${wrapped(value)}`);
}

function visitList(place: VisitedValue, list: ListAtom): void {
  const { value, path, rule } = place;
  if (!isList(value)) {
    problem(place, `expected list, got ${wrapped(value)}`);
    return;
  }
  const seen = new Set<string>();
  for (const [i, item] of value.entries()) {
    const element = isAssociative(list) ? itemElement(list, item) : i;
    // An item without a key ends the list.
    if (typeof element !== 'number') {
      if (element.kind === 'none') {
        problem(place, `element ${i}: ${element.message}`);
        return;
      }
      if (rule === 'no duplicates') {
        const text = elementText(element);
        if (seen.has(text)) problem(place, `duplicate entries for key ${printElement(element)}`);
        seen.add(text);
      }
    }
    path.push(element);
    visit(item, list.element, place);
    path.pop();
  }
}

function visitMap(place: VisitedValue, map: MapAtom): void {
  const { value, path } = place;
  if (!isMap(value)) {
    problem(place, `expected map, got ${wrapped(value)}`);
    return;
  }
  let isOver = false;
  value.forEach((member, key) => {
    // An unknown member ends the map.
    if (isOver) return;
    const type = memberType(map, key);
    path.push(key);
    if (type === undefined) problem(place, 'field not declared in schema');
    else visit(member, type, place);
    path.pop();
    isOver = type === undefined;
  });
}

function problem({ path, problems }: VisitedValue, message: string): void {
  problems.push({ path: path.map(printStep).join(''), message });
}

function printStep(step: string | number | PathElement): string {
  if (typeof step === 'string') return printElement(fieldElement(step));
  return typeof step === 'number' ? printElement({ kind: 'index', index: step }) : printElement(step);
}

/** Returns the output of %v for the library's wrapper of a value. */
function wrapped(value: Value): string {
  return `&{${printGo(value)}}`;
}

/** Returns a value as Go source, as %#v prints it. */
function goSyntax(value: Value): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (isRawJson(value)) return value.goSyntax ?? value.rawJson;
  if (isList(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isMap(value)) return printGo(value);
  const entries = [...value].sort(([a], [b]) => compareKeys(a, b));
  return `map[string]interface {}{${entries.map(([key, inside]) => `${quote(key)}:${goSyntax(inside)}`).join(', ')}}`;
}
