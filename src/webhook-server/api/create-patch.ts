import { plainOfValue, writePlain } from '../../encoding/plain-json.js';
import { readWithFloats } from '../../encoding/unstructured.js';
import { goString } from '../../go/json/write.js';
import { ownMember } from '../../go/own-members.js';
import { wellFormed } from '../../go/utf8.js';
import type { Operation } from './types.js';

/**
 * Returns the operations that turn one document into another, as gomodules/jsonpatch v2.4.0 computes them: add, remove and replace; lists
 * are compared index by index. Strings are parsed as JSON text, other values are plain data. Throws `invalid JSON Document`.
 */
export function createPatch(original: unknown, changed: unknown): Operation[] {
  const [before, after] = [documentText(original), documentText(changed)];
  return before === after ? [] : differences(floatsOf(before), floatsOf(after));
}

/** Returns a document as text; strings are returned unchanged. */
function documentText(document: unknown): string {
  return typeof document === 'string' ? document : writePlain(document);
}

/** Parses JSON as Go decodes into a bare interface: every number is a double. */
function floatsOf(text: string): unknown {
  try {
    return mayDiffer.test(text) || wellFormed(text) !== text || isDeep(text) ? plainOfValue(readWithFloats(text)) : JSON.parse(text);
  } catch {
    throw new Error('invalid JSON Document');
  }
}

/** Matches numbers beyond a double and lone surrogates, which JavaScript parses differently. */
const mayDiffer = /\d[eE]|\d{300}|\\u[dD][89a-fA-F]/;
const maxDepth = 10_000;

/** Reports whether the text may nest deeper than Go reads. */
function isDeep(text: string): boolean {
  return text.length > 2 * maxDepth && (text.match(/[[{]/g)?.length ?? 0) > maxDepth;
}

type Task = Operation | { readonly before: unknown; readonly after: unknown; readonly path: string };

/** Compares both documents in Go's order, without recursion. Source: jsonpatch.go handleValues, diff. */
function differences(before: unknown, after: unknown): Operation[] {
  const operations: Operation[] = [];
  const tasks: Task[] = [{ before, after, path: '' }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if ('op' in task) operations.push(task);
    else tasks.push(...steps(task.before, task.after, task.path).reverse());
  }
  return operations;
}

function steps(before: unknown, after: unknown, path: string): Task[] {
  if (Array.isArray(before) && Array.isArray(after)) return listSteps(before, after, path);
  if (isObject(before) && isObject(after)) return objectSteps(before, after, path);
  return before === after ? [] : [{ op: 'replace', path, value: after }];
}

type PlainObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectSteps(before: PlainObject, after: PlainObject, path: string): Task[] {
  const tasks: Task[] = [];
  for (const key of Object.keys(after)) {
    const at = `${path}/${pointerToken(key)}`;
    if (!Object.hasOwn(before, key)) tasks.push({ op: 'add', path: at, value: ownMember(after, key) });
    else if (ownMember(before, key) !== ownMember(after, key))
      tasks.push({ before: ownMember(before, key), after: ownMember(after, key), path: at });
  }
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) tasks.push({ op: 'remove', path: `${path}/${pointerToken(key)}` });
  }
  return tasks;
}

function listSteps(before: readonly unknown[], after: readonly unknown[], path: string): Task[] {
  const tasks: Task[] = [];
  const common = Math.min(before.length, after.length);
  for (let i = before.length - 1; i >= common; i -= 1) tasks.push({ op: 'remove', path: `${path}/${i}` });
  for (let i = common; i < after.length; i += 1) tasks.push({ op: 'add', path: `${path}/${i}`, value: after[i] });
  for (let i = 0; i < common; i += 1) tasks.push({ before: before[i], after: after[i], path: `${path}/${i}` });
  return tasks;
}

/** Returns a key as a part of a JSON pointer. */
function pointerToken(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
}

/** Returns the operations as Go writes them. Throws NotJsonError. Source: jsonpatch.go Operation.MarshalJSON. */
export function createPatchText(operations: readonly Operation[]): string {
  return `[${operations.map(operationText).join(',')}]`;
}

/** Returns one operation as Go writes it. */
export function operationText({ op, path, value }: Operation): string {
  const hasValue = (value !== undefined && value !== null) || op === 'add' || op === 'replace';
  return `{"op":${goString(op)},"path":${goString(path)}${hasValue ? `,"value":${writePlain(value)}` : ''}}`;
}
