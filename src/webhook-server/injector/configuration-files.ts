import { pointerTo } from '../../encoding/json-pointer.js';
import { placesIn } from '../../encoding/line-places.js';
import { manifestText } from '../../encoding/manifest-text.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { type Position, readManifests } from '../../encoding/yaml-stream.js';
import { encodeUtf8Bytes } from '../../go/utf8.js';
import { isMap, mapAt, stringAt, type Value, valueAt } from '../../go/value.js';
import { type FileLocation, InjectorConfigurationError, type InjectorWarning } from '../api/configuration-error.js';
import { type InjectorConfiguration, InvalidMember, type MemberPath, readConfiguration } from './configuration.js';

/** A configuration from a file. */
export interface FileConfiguration {
  readonly configuration: InjectorConfiguration;
  /** Values, if the file is a ConfigMap that has them. */
  readonly values: Value | undefined;
  readonly warnings: readonly InjectorWarning[];
}

/** Reads a configuration from YAML or JSON, or from a ConfigMap as Istio installs it. Throws InjectorConfigurationError. */
export function readInjectorFile(bytes: Uint8Array, file: string): FileConfiguration {
  const whole = wholeDocument(bytes, file);
  const document = isConfigMap(whole) ? memberOfConfigMap(whole, 'config', file) : whole;
  try {
    const configuration = readConfiguration(document.value);
    const warnings = configuration.warnings.map(({ message, path }) => ({ message, location: locationOf(document, { file, path }) }));
    return { configuration, values: isConfigMap(whole) ? valuesIn(whole, file) : undefined, warnings };
  } catch (error) {
    if (!(error instanceof InvalidMember)) throw error;
    throw new InjectorConfigurationError(error.message, locationOf(document, { file, ...error }), error);
  }
}

/** Reads values from YAML or JSON, or from a ConfigMap as Istio installs it. Throws InjectorConfigurationError. */
export function readValuesFile(bytes: Uint8Array, file: string): Value {
  const document = wholeDocument(bytes, file);
  return isConfigMap(document) ? memberOfConfigMap(document, 'values', file).value : objectIn(document, file);
}

function wholeDocument(bytes: Uint8Array, file: string): PlacedDocument {
  const document = placedDocument({ file, text: manifestText(bytes), inFile: position => position });
  const kind = stringAt(document.value, 'kind');
  if (kind !== '' && kind !== 'ConfigMap' && stringAt(document.value, 'apiVersion') !== '') {
    const location = locationOf(document, { file, path: ['kind'] });
    throw new InjectorConfigurationError(`unexpected kind ${kind}: expected the ConfigMap of an injector, or its content`, location);
  }
  return document;
}

function isConfigMap({ value }: PlacedDocument): boolean {
  return stringAt(value, 'kind') === 'ConfigMap' && stringAt(value, 'apiVersion') === 'v1';
}

function valuesIn(configMap: PlacedDocument, file: string): Value | undefined {
  return valueAt(configMap.value, 'data', 'values') === undefined ? undefined : memberOfConfigMap(configMap, 'values', file).value;
}

function memberOfConfigMap(configMap: PlacedDocument, member: 'config' | 'values', file: string): PlacedDocument {
  if (typeof valueAt(configMap.value, 'data', member) !== 'string') {
    const members = [...(mapAt(configMap.value, 'data') ?? new Map()).keys()].join(', ');
    const found = members === '' ? '' : `; it has ${members}`;
    const location = locationOf(configMap, { file, path: ['data'] });
    throw new InjectorConfigurationError(`missing data.${member} in the ConfigMap of the injector${found}`, location);
  }
  const document = placedDocument(configMap.textAt(['data', member]));
  if (member === 'values') objectIn(document, file);
  return document;
}

function objectIn(document: PlacedDocument, file: string): Value {
  if (document.value === null || isMap(document.value)) return document.value;
  throw new InjectorConfigurationError('invalid values: expected an object', locationOf(document, { file, path: [] }));
}

interface MemberLocation {
  readonly file: string;
  readonly path: MemberPath;
  readonly offset?: number | undefined;
}

function locationOf(document: PlacedDocument, { file, path, offset }: MemberLocation): FileLocation {
  return { file, ...document.positionOf(path, offset) };
}

/** Text in a file, and the positions of its parts in the file. */
interface PlacedText {
  readonly file: string;
  readonly text: string;
  readonly inFile: (position: Position) => Position;
}

/** Value of a YAML or JSON text, and the positions of its members in the file. */
interface PlacedDocument {
  readonly value: Value;
  /** Returns the position of a member, or of an offset in its text. */
  positionOf(path: MemberPath, offset?: number): Position | undefined;
  /** Returns the text of a member: another document. */
  textAt(path: MemberPath): PlacedText;
}

/** Parses the first document of a text; `null` if there is none. Throws InjectorConfigurationError. */
function placedDocument({ file, text, inFile }: PlacedText): PlacedDocument {
  const { documents, error } = readManifests(encodeUtf8Bytes(text));
  const [document] = documents;
  if (document === undefined && error !== undefined) {
    throw new InjectorConfigurationError(error.message.replaceAll('\n', ' '), { file, ...inFile(error.position) });
  }
  const value = document === undefined ? null : readUnstructured(document.json);
  const insideOf = (path: MemberPath): PlacedText => {
    const content = stringAt(value, ...path);
    const key = document?.positionOf(pointerTo(path)) ?? { line: 1, column: 1 };
    const inText = literalPlaces(text, key, content);
    return { file, text: content, inFile: position => inFile(inText(position)) };
  };
  return {
    value,
    positionOf(path, offset) {
      if (document === undefined) return undefined;
      if (offset === undefined) return inFile(document.positionOf(pointerTo(path)));
      const inside = insideOf(path);
      return inside.inFile(placesIn(inside.text)(offset));
    },
    textAt: insideOf,
  };
}

/** Returns where positions in a literal block scalar (`key: |`) are in the text around it; for other scalars it is their key. */
function literalPlaces(text: string, key: Position, content: string): (position: Position) => Position {
  const lines = text.split(/\r?\n/);
  const contentLines = content.split('\n');
  const first = contentLines.findIndex(line => line !== '');
  const isLiteral = /:\s+(?:[&!]\S*\s+)*\|[-+\d]*\s*(?:#.*)?$/.test(lines[key.line - 1] ?? '');
  if (!isLiteral || first < 0) return () => key;
  const indentation = (lines[key.line + first] ?? '').length - (contentLines[first] ?? '').length;
  return ({ line, column }) => ({ line: key.line + line, column: column + indentation });
}
