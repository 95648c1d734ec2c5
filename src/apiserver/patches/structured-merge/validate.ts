import { goTypeOf, printGo } from '../../../encoding/go-print.js';
import { compareKeys } from '../../../encoding/key-order.js';
import { quote } from '../../../kubernetes/quote.js';
import { isList, isMap, type Value } from '../../../kubernetes/value.js';
import { type Atom, isAssociative, type ListAtom, type MapAtom, memberType, type Scalar } from './atom.js';
import { handleAtom, narrowAtom } from './handle-atom.js';
import { itemElement } from './list-items.js';
import { elementText, fieldElement, type PathElement, printElement } from './path-element.js';

/** Something in a value that its type does not allow. */
export interface SchemaProblem {
  /** `.spec.containers[name="a"]` */
  readonly path: string;
  readonly message: string;
}

/** A value does not fit its type; one problem stands for itself, several on lines of their own. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';

  constructor(problems: readonly SchemaProblem[]) {
    const texts = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    super(texts.length === 1 ? texts.join('') : ['errors:', ...texts.map(text => `  ${text}`)].join('\n'));
  }
}

/** May items of one list share a key? */
export type DuplicateRule = 'allow duplicates' | 'no duplicates';

/**
 * Throws SchemaError when a value does not fit its type. Several problems stand in the order of the value; in the API server
 * members of maps come in no order. Source: structured-merge-diff typed/validate.go.
 */
export function validateTyped(value: Value, type: Atom, rule: DuplicateRule): void {
  const problems = problemsOf(value, type, { path: '', rule });
  if (problems.length > 0) throw new SchemaError(problems);
}

interface Place {
  readonly path: string;
  readonly rule: DuplicateRule;
}

function problemsOf(value: Value, type: Atom, place: Place): SchemaProblem[] {
  return handleAtom(narrowAtom(type, value), {
    onScalar: scalar => scalarProblems(value, scalar, place),
    onList: list => listProblems(value, list, place),
    onMap: map => mapProblems(value, map, place),
  });
}

function scalarProblems(value: Value, scalar: Scalar, { path }: Place): SchemaProblem[] {
  if (value === null) return [];
  const isNumber = typeof value === 'bigint' || typeof value === 'number';
  const isScalar = isNumber || typeof value === 'string' || typeof value === 'boolean';
  if (scalar === 'numeric' && !isNumber) return [{ path, message: `expected numeric (int or float), got ${goTypeOf(value)}` }];
  if (scalar === 'string' && typeof value !== 'string')
    return [{ path, message: `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}` }];
  if (scalar === 'boolean' && typeof value !== 'boolean') return [{ path, message: `expected boolean, got ${wrapped(value)}` }];
  if (scalar === 'untyped' && !isScalar) return [{ path, message: `expected any scalar, got ${wrapped(value)}` }];
  return [];
}

function listProblems(value: Value, list: ListAtom, place: Place): SchemaProblem[] {
  if (value === null) return [];
  if (!isList(value)) return [{ path: place.path, message: `expected list, got ${wrapped(value)}` }];
  const problems: SchemaProblem[] = [];
  const seen = new Set<string>();
  for (const [i, item] of value.entries()) {
    const element: PathElement | ReturnType<typeof itemElement> = isAssociative(list)
      ? itemElement(list, item)
      : { kind: 'index', index: i };
    // An item that cannot be named ends the list.
    if (element.kind === 'none') return [...problems, { path: place.path, message: `element ${i}: ${element.message}` }];
    if (isAssociative(list)) {
      const text = elementText(element);
      if (seen.has(text) && place.rule === 'no duplicates')
        problems.push({ path: place.path, message: `duplicate entries for key ${printElement(element)}` });
      seen.add(text);
    }
    problems.push(...problemsOf(item, list.element, { ...place, path: place.path + printElement(element) }));
  }
  return problems;
}

function mapProblems(value: Value, map: MapAtom, place: Place): SchemaProblem[] {
  if (value === null) return [];
  if (!isMap(value)) return [{ path: place.path, message: `expected map, got ${wrapped(value)}` }];
  const problems: SchemaProblem[] = [];
  for (const [key, member] of value) {
    const type = memberType(map, key);
    const path = place.path + printElement(fieldElement(key));
    // A member that may not be there ends the map.
    if (type === undefined) return [...problems, { path, message: 'field not declared in schema' }];
    problems.push(...problemsOf(member, type, { ...place, path }));
  }
  return problems;
}

/** How Go prints the library's wrapper of a value with %v. */
function wrapped(value: Value): string {
  return `&{${printGo(value)}}`;
}

/** A value as Go source, as %#v prints it. */
function goSyntax(value: Value): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (isList(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isMap(value)) return printGo(value);
  const entries = [...value].sort(([a], [b]) => compareKeys(a, b));
  return `map[string]interface {}{${entries.map(([key, inside]) => `${quote(key)}:${goSyntax(inside)}`).join(', ')}}`;
}
