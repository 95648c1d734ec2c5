import { goTypeOf } from '../../go/print.js';
import { isList, isMap, isRawJson, type Value } from '../../go/value.js';
import { JsonPathError, type Node, type NodeList, type Slice } from './parse.js';

/**
 * Returns the values that an action finds in an object; missing members have none. Throws JsonPathError for what client-go does not find, such as an
 * index out of bounds or values that cannot be compared. The order of the members of a map is that of the object; in Go it is random. Source:
 * client-go util/jsonpath/jsonpath.go FindResults, with AllowMissingKeys.
 */
export function findResults(object: Value, action: NodeList): readonly Value[] {
  return evalList([object], action);
}

function evalList(input: readonly Value[], nodes: NodeList): readonly Value[] {
  return nodes.reduce(walk, input);
}

function walk(input: readonly Value[], node: Node): readonly Value[] {
  switch (node.type) {
    case 'text':
      return [node.text];
    case 'number':
      return input.map(() => node.number);
    case 'bool':
      return input.map(() => node.value);
    case 'field':
      return input.flatMap(value => (isMap(value) && value.has(node.name) ? [value.get(node.name) as Value] : []));
    case 'wildcard':
      return input.flatMap(membersOf);
    case 'recursive':
      return input.flatMap(evalRecursive);
    case 'array':
      return evalArray(input, node.slice);
    case 'union':
      return node.lists.flatMap(list => evalList(input, list));
    case 'filter':
      return input.flatMap(value => evalFilter(value, node));
    default:
      // `range` and `end` have no results of their own.
      throw new JsonPathError(`unrecognized identifier ${node.name}`);
  }
}

function membersOf(value: Value): readonly Value[] {
  return isList(value) ? value : isMap(value) ? [...value.values()] : [];
}

/** Returns a value that has members, and all such values below it. A text has characters. */
function evalRecursive(value: Value): Value[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  const members = membersOf(value);
  return members.length === 0 ? [] : [value, ...members.flatMap(evalRecursive)];
}

function evalArray(input: readonly Value[], slice: Slice): readonly Value[] {
  const found: Value[] = [];
  for (const value of input) {
    if (value === null) continue;
    if (!isList(value)) throw new JsonPathError(`${goTypeOf(value)} is not array or slice`);
    const { length } = value;
    const start = (slice.start ?? 0) + ((slice.start ?? 0) < 0 ? length : 0);
    let end = slice.end ?? length;
    if (end < 0 || (end === 0 && slice.isOneItem)) end += length;
    if (start === end) return found;
    if (start >= length || start < 0) throw new JsonPathError(`array index out of bounds: index ${start}, length ${length}`);
    if (end > length || end < 0) throw new JsonPathError(`array index out of bounds: index ${end - 1}, length ${length}`);
    if (start > end) throw new JsonPathError(`starting index ${start} is greater than ending index ${end}`);
    const { step = 1 } = slice;
    if (step <= 0) throw new JsonPathError('step must be > 0');
    for (let i = start; i < end; i += step) found.push(value[i] as Value);
  }
  return found;
}

function evalFilter(value: Value, { left, operator, right }: Extract<Node, { readonly type: 'filter' }>): Value[] {
  if (!isList(value)) throw new JsonPathError(`${String(value)} is not array or slice and cannot be filtered`);
  return value.filter(item => {
    if (operator === 'exists') return exists(item, left);
    const [lefts, rights] = [evalList([item], left), evalList([item], right)];
    if (lefts.length === 0 || rights.length === 0) return false;
    if (lefts.length > 1 || rights.length > 1) throw new JsonPathError('can only compare one element at a time');
    return isTrue(lefts[0] as Value, operator, rights[0] as Value);
  });
}

/** An error returns what was found before it. */
function exists(item: Value, path: NodeList): boolean {
  let found: readonly Value[] = [item];
  try {
    for (const node of path) found = walk(found, node);
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
  }
  return found.length > 0;
}

/** Compares two values of the same kind. Source: client-go third_party/forked/golang/template/funcs.go. */
function isTrue(left: Value, operator: string, right: Value): boolean {
  switch (operator) {
    case '==':
      return isEqual(left, right);
    case '!=':
      return !isEqual(left, right);
    case '<':
      return isLess(left, right);
    case '>=':
      return !isLess(left, right);
    case '<=':
      return isLess(left, right) || isEqual(left, right);
    case '>':
      return !(isLess(left, right) || isEqual(left, right));
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}

function isEqual(left: Value, right: Value): boolean {
  checkKinds(left, right);
  return left === right;
}

function isLess(left: Value, right: Value): boolean {
  checkKinds(left, right);
  if (typeof left === 'boolean') throw new JsonPathError(badType);
  if (typeof left !== 'string' || typeof right !== 'string') return (left as bigint) < (right as bigint);
  return Buffer.compare(Buffer.from(left), Buffer.from(right)) < 0;
}

function checkKinds(left: Value, right: Value): void {
  for (const value of [left, right])
    if (value === null || isMap(value) || isList(value) || isRawJson(value)) throw new JsonPathError(badType);
  if (typeof left !== typeof right) throw new JsonPathError('incompatible types for comparison');
}

const badType = 'invalid type for comparison';
