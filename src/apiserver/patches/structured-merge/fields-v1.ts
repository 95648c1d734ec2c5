import { readWithFloats } from '../../../encoding/unstructured.js';
import { type JsonNode, JsonSyntaxError, readJson } from '../../../go/json/reader.js';
import { isMap, type Value } from '../../../go/value.js';
import { memoizeInside, memoizeStrings } from '../../../kubernetes/memoize.js';
import { parseIndex } from '../array-index.js';
import { type FieldSet, fieldSet } from './field-set.js';
import {
  compareElements,
  elementText,
  fieldElement,
  fieldNameText,
  keyElement,
  type PathElement,
  plainElementText,
} from './path-element.js';

/** Text that is not a valid set of fields; the message has the reason. */
export class FieldsError extends Error {
  override readonly name = 'FieldsError';
}

/** Encodes a set as the text of `fieldsV1`. Source: structured-merge-diff serialize.go ToJSON. */
export const writeFields: (set: FieldSet) => string = memoizeInside(set => `{${contents(set, false, elementText)}}`);

/** Encodes a set as `writeFields` does, without the escapes of HTML in keys: with structured-merge-diff v7. */
export const writePlainFields: (set: FieldSet) => string = memoizeInside(set => `{${contents(set, false, plainElementText)}}`);

/**
 * Decodes a set from the text of `fieldsV1`, compact JSON; unknown kinds of steps are skipped. Throws FieldsError. Objects that one client has made have
 * mostly the same fields.
 */
export const readFields: (text: string) => FieldSet = memoizeStrings(256, text => setOf(text, readJson(text)).set);

function contents(set: FieldSet, isMember: boolean, textOf: (element: PathElement) => string): string {
  const steps = sortedSteps(set);
  let written = isMember && steps.length > 0 ? '".":{}' : '';
  for (const element of steps) {
    const text = elementText(element);
    const node = set.children.get(text);
    const inside = node === undefined ? '' : contents(node.set, set.members.has(text), textOf);
    written += `${written === '' ? '' : ','}${fieldNameText(textOf(element))}:{${inside}}`;
  }
  return written;
}

/** Returns the first steps of all paths in order. */
function sortedSteps({ members, children }: FieldSet): PathElement[] {
  const steps = [...members.values()];
  children.forEach(({ element }, text) => {
    if (!members.has(text)) steps.push(element);
  });
  if (steps.length > few) steps.sort(compareElements);
  else insertionSort(steps);
  return steps;
}

const few = 16;

/** Sorts without memory, unlike `Array.sort`: most objects have hundreds of such lists. */
function insertionSort(steps: PathElement[]): void {
  for (let i = 1; i < steps.length; i += 1) {
    const element = steps[i] as PathElement;
    let at = i;
    for (let before = steps[at - 1]; before !== undefined && compareElements(before, element) > 0; before = steps[at - 1]) {
      steps[at] = before;
      at -= 1;
    }
    steps[at] = element;
  }
}

/** Decodes a node; one without steps is a member of its parent. */
function setOf(text: string, node: JsonNode): { readonly set: FieldSet; readonly isMember: boolean } {
  const set = fieldSet();
  if (node.type === 'literal' && node.value === null) return { set, isMember: true };
  if (node.type !== 'object') throw readerError(text, node.start + 1, 'ReadMapCB', `expect { or n, but found ${text[node.start]}`);
  let isMember = false;
  for (const { key, value } of node.members) {
    if (key === '.') {
      isMember = true;
      continue;
    }
    const known = elementIn(key, text, value);
    if (known === undefined) continue;
    const { element, name } = known;
    const below = setOf(text, value);
    if (below.isMember) set.members.set(name, element);
    if (below.set.members.size > 0 || below.set.children.size > 0) set.children.set(name, { element, set: below.set });
  }
  return { set, isMember: isMember || (set.members.size === 0 && set.children.size === 0) };
}

/** Returns the element of a key in a text of fields, and its name. Throws FieldsError. */
function elementIn(key: string, text: string, value: JsonNode): ReturnType<typeof readElement> {
  try {
    return readElement(key);
  } catch (error) {
    if (error instanceof ElementError) throw readerError(text, value.start, 'parsing key as path element', error.message);
    throw error;
  }
}

class ElementError extends Error {}

/** Objects of a kind have mostly the same fields. */
const readElement = memoizeStrings(1000, (key: string): { readonly element: PathElement; readonly name: string } | undefined => {
  const element = elementOf(key, message => new ElementError(message));
  return element === undefined ? undefined : { element, name: elementText(element) };
});

/** Source: structured-merge-diff serialize-pe.go DeserializePathElement. */
function elementOf(text: string, failure: (message: string) => ElementError): PathElement | undefined {
  if (Buffer.byteLength(text) < 2) throw failure('key must be 2 characters long:');
  if (text[1] !== ':') throw failure(`missing colon: ${text}`);
  const rest = text.slice(2);
  switch (text[0]) {
    case 'f':
      return fieldElement(rest);
    case 'v':
      return { kind: 'value', value: readPart(rest, failure) };
    case 'k': {
      const value = readPart(rest, failure);
      if (isMap(value)) return keyElement([...value].map(([name, inside]) => ({ name, value: inside })));
      throw failure(readerError(rest, 1, 'ReadObjectCB', `expect { or n, but found ${rest[0]}`).message);
    }
    case 'i': {
      const parsed = parseIndex(rest);
      if ('error' in parsed) throw failure(parsed.error);
      return { kind: 'index', index: Number(parsed.index) };
    }
    default:
      return undefined;
  }
}

function readPart(text: string, failure: (message: string) => ElementError): Value {
  try {
    return readWithFloats(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw failure(readerError(text, 0, 'Read', 'unexpected value type: 0').message);
    throw error;
  }
}

/**
 * Returns an error with the reader's message and an excerpt of the text around the position. Source: json-iterator Iterator.ReportError.
 */
function readerError(text: string, at: number, operation: string, message: string): FieldsError {
  const bytes = Buffer.from(text);
  const head = Buffer.byteLength(text.slice(0, at));
  // The reader gets the text in chunks and shows only the current one.
  const piece = head === 0 ? 0 : Math.floor((head - 1) / pieceSize) * pieceSize;
  const around = (distance: number): string =>
    bytes.subarray(Math.max(head - distance, piece), Math.min(head + distance, piece + pieceSize)).toString();
  const offset = head - Math.max(head - 10, piece);
  return new FieldsError(
    `${operation}: ${message}, error found in #${offset} byte of ...|${around(10)}|..., bigger context ...|${around(50)}|...`,
  );
}

const pieceSize = 4096;
