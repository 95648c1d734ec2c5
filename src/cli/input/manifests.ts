import { keepRawTexts } from '../../apiserver/objects/raw-texts.js';
import { readUnstructuredObject } from '../../encoding/unstructured-object.js';
import { type ManifestDocument, type ManifestError, readManifests as readStream } from '../../encoding/yaml-stream.js';
import { readJson } from '../../go/json/reader.js';
import { compactRaw, writeValue } from '../../go/json/write.js';
import { isList, isMap, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { CliError, type Location, printLocation } from '../cli-error.js';
import type { Surroundings } from '../surroundings.js';
import { type FileSelection, type InputFile, readInputFiles } from './files.js';
import { suspiciousCharacters, syntaxAdvice } from './suspicious-text.js';

/** An object of a file. */
export interface Manifest {
  readonly object: ValueMap;
  /** The file as kubectl names it. */
  readonly source: string;
  readonly location: Location;
  /** The list it was an item of; the same one for all its items. */
  readonly list?: ValueMap;
}

/** An object whose fields can be found in its file. */
export interface LocatedManifest extends Manifest {
  /** Where a JSON pointer into the object leads, or to what is around it. */
  readonly locate: (pointer: string) => Location;
}

export interface Manifests {
  readonly manifests: readonly LocatedManifest[];
  /** What is odd and accepted all the same. */
  readonly warnings: readonly string[];
}

/**
 * The objects of the files that a flag names, lists taken apart. All files are read before anything is done with the first.
 * Throws CliError, which names file and line.
 */
export async function readManifests(selection: FileSelection, surroundings: Pick<Surroundings, 'cwd' | 'stdin'>): Promise<Manifests> {
  const files = (await readInputFiles(selection, surroundings)).map(manifestsIn);
  const manifests = files.flatMap(file => file.manifests);
  if (manifests.length === 0) {
    throw new CliError('no-objects', `no objects found in ${files.map(({ source }) => source).join(', ')}`, {
      suggestions: [`pass a manifest to ${selection.flag}`],
    });
  }
  return { manifests, warnings: files.flatMap(file => file.warnings) };
}

/** The objects of a file that storage holds: raw JSON is kept as it is written. */
export function storedManifests(file: InputFile): readonly LocatedManifest[] {
  return documentsIn(file).flatMap(document => {
    const manifests = objectsOf(document, file);
    const root = manifests[0]?.list ?? manifests[0]?.object;
    if (root !== undefined && compactRaw(document.json) !== document.json) keepRawTexts(root, readJson(document.json), document.json);
    return manifests;
  });
}

function documentsIn(file: InputFile): readonly ManifestDocument[] {
  const { documents, error } = readStream(file.bytes);
  if (error !== undefined) throw syntaxError(file, error, documents.length + 1);
  return documents;
}

/** The objects of one file, and what is odd about it; there may be none. */
export function manifestsIn(file: InputFile): Manifests & { readonly source: string } {
  const documents = documentsIn(file);
  return {
    source: file.source,
    manifests: documents.flatMap(document => objectsOf(document, file)),
    warnings: [...suspicionsIn(file), ...documents.flatMap(document => repetitionsIn(document, file))],
  };
}

function suspicionsIn(file: InputFile): string[] {
  return suspiciousCharacters(file.bytes).map(({ what, ...position }) => `${printLocation({ file: file.source, ...position })}: ${what}`);
}

/** kubectl sends the last of equal keys, and says nothing. */
function repetitionsIn(document: ManifestDocument, { source }: InputFile): string[] {
  return document
    .repeatedKeys()
    .map(
      ({ message, position }) =>
        `${printLocation({ file: source, ...(position ?? { line: document.line }) })}: ${message}; the last one counts`,
    );
}

function syntaxError(file: InputFile, { message, position }: ManifestError, documentNumber: number): CliError {
  const which = documentNumber > 1 ? `document ${documentNumber}: ` : '';
  return new CliError('invalid-syntax', which + message.replaceAll('\n', ' '), {
    location: { file: file.source, ...position },
    suggestions: syntaxAdvice(file.bytes),
  });
}

function objectsOf(document: ManifestDocument, file: InputFile): LocatedManifest[] {
  const { json } = document;
  const locate = (pointer: string): Location => ({ file: file.source, ...document.positionOf(pointer) });
  const location = locate('');
  let object: ValueMap;
  try {
    object = readUnstructuredObject(json, document.node);
  } catch (error) {
    const isArray = json.startsWith('[');
    throw invalidManifest(
      error instanceof Error ? error.message : String(error),
      location,
      isArray ? ['did you mean `kind: List`?'] : syntaxAdvice(file.bytes),
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

function listItem(item: Value, index: number, location: Location): ValueMap {
  if (!isMap(item)) throw invalidManifest(`items[${index}]: Object 'Kind' is missing in 'null'`, location);
  if (isList(item.get('items')) && stringAt(item, 'kind').endsWith('List')) {
    throw invalidManifest(`items[${index}] is a list itself, and kubectl takes no lists in lists`, location);
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
      'write apiVersion as GROUP/VERSION',
    ]);
  }
  return object;
}

/** Long inputs are quoted in Go's errors whole: one line of them is enough. */
function invalidManifest(message: string, location: Location, suggestions: readonly string[] = []): CliError {
  const text = message.replaceAll('\n', ' ');
  return new CliError('invalid-manifest', text.length > 300 ? `${text.slice(0, 300)}...` : text, { location, suggestions });
}
