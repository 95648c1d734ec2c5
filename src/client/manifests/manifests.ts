import { keepRawTexts } from '../../apiserver/objects/raw-texts.js';
import { readUnstructuredObject, unstructuredObjectOf } from '../../encoding/unstructured-object.js';
import { type ManifestDocument, type ManifestError, readManifests as readStream } from '../../encoding/yaml-stream.js';
import { readJson } from '../../go/json/reader.js';
import { compactRaw, writeValue } from '../../go/json/write.js';
import { ownMember } from '../../go/own-members.js';
import { isList, isMap, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { lazy } from '../../kubernetes/memoize.js';
import { CliError, type Location, printLocation } from '../cli-error.js';

/** A file's bytes, and its name in messages. */
export interface InputFile {
  /** As kubectl names it: the path as given, or `STDIN`. */
  readonly source: string;
  readonly bytes: Uint8Array;
}

/** An object in a file. */
export interface Manifest {
  readonly object: ValueMap;
  /** The file as kubectl names it. */
  readonly source: string;
  readonly location: Location;
  /** The list that contains it; the same value for all items. */
  readonly list?: ValueMap;
}

/** An object with the positions of its fields. */
export interface LocatedManifest extends Manifest {
  /** Returns the position of a JSON pointer into the object, or of the nearest parent. */
  readonly locate: (pointer: string) => Location;
}

export interface Manifests {
  readonly manifests: readonly LocatedManifest[];
  /** Warnings about valid but suspicious input. */
  readonly warnings: readonly string[];
}

/** Returns the objects of a file for storage: raw JSON keeps its text. */
export function storedManifests(server: ApiServer, file: InputFile): readonly LocatedManifest[] {
  return documentsIn(file).flatMap(document => {
    const manifests = objectsOf(document, file);
    const root = manifests[0]?.list ?? manifests[0]?.object;
    // JSON of YAML is compact.
    if (root !== undefined && document.value === undefined && compactRaw(document.json) !== document.json)
      keepRawTexts(server, root, readJson(document.json), document.json);
    return manifests;
  });
}

function documentsIn(file: InputFile): readonly ManifestDocument[] {
  const { documents, error } = readStream(file.bytes);
  if (error !== undefined) throw syntaxError(file, error, documents.length + 1);
  return documents;
}

/** Objects of a file in order, and errors in place of documents that are not objects. */
export interface FileEntries {
  readonly source: string;
  readonly entries: readonly (LocatedManifest | CliError)[];
  readonly warnings: readonly string[];
}

/** Returns the objects of one file, possibly none, and warnings about it. Throws CliError for the first document that is not an object. */
export function manifestsIn(file: InputFile): Manifests & { readonly source: string } {
  const { source, entries, warnings } = entriesIn(file);
  const manifests = entries.map(entry => {
    if (entry instanceof CliError) throw entry;
    return entry;
  });
  return { source, manifests, warnings };
}

/** Returns the same for a file that may be partly invalid: reads as much as kubectl does. */
export function entriesIn(file: InputFile): FileEntries {
  const { documents, error } = readStream(file.bytes);
  const advice = lazy(() => syntaxAdvice(file.bytes));
  const entries = documents.flatMap((document): (LocatedManifest | CliError)[] => {
    try {
      return objectsOf(document, file, advice);
    } catch (failure) {
      if (failure instanceof CliError) return [failure];
      throw failure;
    }
  });
  return {
    source: file.source,
    entries: error === undefined ? entries : [...entries, syntaxError(file, error, documents.length + 1)],
    // A syntax error already describes the problem.
    warnings: [...(error === undefined ? suspicionsIn(file) : []), ...documents.flatMap(document => repetitionsIn(document, file))].slice(
      0,
      maxWarnings,
    ),
  };
}

/** More warnings about one file say nothing new. */
const maxWarnings = 1000;

function suspicionsIn(file: InputFile): string[] {
  return suspiciousCharacters(file.bytes).map(({ what, ...position }) => `${printLocation({ file: file.source, ...position })}: ${what}`);
}

/** Returns warnings about duplicate keys: kubectl silently sends the last one. */
function repetitionsIn(document: ManifestDocument, { source }: InputFile): string[] {
  return document
    .repeatedKeys()
    .map(
      ({ message, position }) =>
        `${printLocation({ file: source, ...(position ?? { line: document.line }) })}: ${message}; the last one is used`,
    );
}

function syntaxError(file: InputFile, { message, position }: ManifestError, documentNumber: number): CliError {
  const which = documentNumber > 1 ? `document ${documentNumber}: ` : '';
  return new CliError('invalid-syntax', which + message.replaceAll('\n', ' '), {
    location: { file: file.source, ...position },
    suggestions: syntaxAdvice(file.bytes),
  });
}

function objectsOf(document: ManifestDocument, file: InputFile, advice = () => syntaxAdvice(file.bytes)): LocatedManifest[] {
  const locate = (pointer: string): Location => ({ file: file.source, ...document.positionOf(pointer) });
  const location = locate('');
  let object: ValueMap;
  try {
    object = objectOf(document);
  } catch (error) {
    const isArray = document.json.startsWith('[');
    throw invalidManifest(
      error instanceof Error ? error.message : String(error),
      location,
      isArray ? ['did you mean `kind: List`?'] : advice(),
    );
  }
  const items = object.get('items');
  if (isList(items) && stringAt(object, 'kind').endsWith('List')) {
    return items.map((entry, i) => {
      const start = `/items/${i}`;
      const place = locate(start);
      const item = checked(listItem(entry, i, place), place);
      return { object: item, source: file.source, location: place, list: object, locate: pointer => locate(start + pointer) };
    });
  }
  return [{ object: checked(object, location), source: file.source, location, locate }];
}

function objectOf(document: ManifestDocument): ValueMap {
  const known = document.value === undefined ? undefined : unstructuredObjectOf(document.value);
  return known ?? readUnstructuredObject(document.json, document.node);
}

function listItem(item: Value, index: number, location: Location): ValueMap {
  if (!isMap(item)) throw invalidManifest(`items[${index}]: Object 'Kind' is missing in 'null'`, location);
  if (isList(item.get('items')) && stringAt(item, 'kind').endsWith('List')) {
    throw invalidManifest(`items[${index}] is a list: kubectl does not support lists in lists`, location);
  }
  return item;
}

function checked(object: ValueMap, location: Location): ValueMap {
  for (const member of ['kind', 'apiVersion']) {
    const value = object.get(member);
    if (typeof value === 'string' && value !== '') continue;
    const name = member === 'kind' ? 'Kind' : 'apiVersion';
    throw invalidManifest(`Object '${name}' is missing in '${writeValue(object, 'sorted')}'`, location, [`add ${member}`]);
  }
  if (stringAt(object, 'apiVersion').split('/').length > 2) {
    throw invalidManifest(`unexpected GroupVersion string: ${stringAt(object, 'apiVersion')}`, location, [
      'set apiVersion to GROUP/VERSION',
    ]);
  }
  return object;
}

/** Go's errors quote the whole input: cut to one line. */
function invalidManifest(message: string, location: Location, suggestions: readonly string[] = []): CliError {
  const text = message.replaceAll('\n', ' ');
  return new CliError('invalid-manifest', text.length > 300 ? `${text.slice(0, 300)}...` : text, { location, suggestions });
}

interface Suspicion {
  readonly line: number;
  readonly column: number;
  readonly what: string;
}

const utf8 = new TextDecoder('utf-8');

/** Returns characters that look like others: accepted, as by kubectl, with a warning. Line and column start at 1. */
export function suspiciousCharacters(bytes: Uint8Array): Suspicion[] {
  if (isUtf16(bytes)) return [];
  const text = utf8.decode(bytes);
  if (!mayBeSuspicious.test(text)) return [];
  const found: Suspicion[] = [];
  for (const match of text.matchAll(suspicious)) {
    const before = text.slice(0, match.index).split('\n');
    found.push({
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      what: ownMember(names, match[0]) ?? 'an unusual character',
    });
    if (found.length === 5) break;
  }
  return found;
}

/** Returns suggestions for a file with a syntax error. */
function syntaxAdvice(bytes: Uint8Array): string[] {
  const text = utf8.decode(bytes.subarray(0, 1024 * 1024));
  if (/\{\{.*\}\}/.test(text)) return ['render the template first: it contains {{'];
  const odd = suspiciousCharacters(bytes).find(({ what }) => what !== notUtf8);
  if (odd !== undefined) return [`check ${odd.line}:${odd.column}, which contains ${odd.what}`];
  if (/^\s*\{/.test(text) && /(^|\s)\/\//.test(text)) return ['remove the comments: JSON does not allow them'];
  return /^ *\t/m.test(text) ? ['indent with spaces: YAML does not allow tabs'] : [];
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

const notUtf8 = 'a byte that is not UTF-8';

const names: Readonly<Record<string, string>> = {
  '\u200b': 'a zero-width space (U+200B)',
  '\u2060': 'a word joiner (U+2060)',
  '\ufeff': 'a byte order mark (U+FEFF)',
  '\u00a0': 'a no-break space (U+00A0)',
  '\u201c': 'a typographic quote (U+201C), which is part of the value',
  '\u201d': 'a typographic quote (U+201D), which is part of the value',
  '\ufffd': notUtf8,
};

const mayBeSuspicious = /[\u00a0\u200b\u2060\ufeff\u201c\u201d\ufffd]/;

/** Quotes around a whole value; within text they are intended. The quote is first in the pattern: few places of a text are tried. */
const quotedValue =
  '[\u201c\u201d](?<=(?:^[ \\t]*(?:- +)*[\\w./-]+:[ \\t]+|^[ \\t]*-[ \\t]+|[{,][ \\t]*[\\w./-]+:[ \\t]+)[\u201c\u201d])(?=[^\u201c\u201d\\n]*[\u201c\u201d][ \\t]*(?:[,}\\]]|$))';
const suspicious = new RegExp(`[\u00a0\u200b\u2060\ufeff\ufffd]|${quotedValue}`, 'gm');
