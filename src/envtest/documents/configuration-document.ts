import { DecodeError } from '../../apiserver/objects/codec.js';
import { interpretDocument } from '../../apiserver/objects/interpret-document.js';
import { schemeName } from '../../apiserver/objects/not-registered.js';
import { readGoFields, type Struct, textField as string, unknownFields } from '../../cli/work/apiserver/go-fields.js';
import { StartError } from '../../cli/work/apiserver/start-error.js';
import { duplicateFields } from '../../encoding/duplicate-fields.js';
import { parsePlain } from '../../encoding/plain-json.js';
import { YamlError, yamlToJson, yamlToJsonStrict } from '../../encoding/yaml.js';
import { readJson } from '../../go/json/reader.js';
import { ownMember } from '../../go/own-members.js';
import { quote } from '../../go/quote.js';
import type { ApiServer } from '../../kubernetes/api-server.js';

/** Returns the fields of a document; throws StartError with Go's message for a value of another type. */
export function readTyped<T>(document: Document, struct: Struct, prefix: string): T {
  const read = readGoFields(document, struct);
  if ('error' in read) throw new StartError(`${prefix}${read.error}`);
  return read.value as T;
}

/** A configuration file as plain JSON. */
export type Document = Readonly<Record<string, unknown>>;

export function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function memberText(document: Document, name: string): string {
  const value = ownMember(document, name);
  return typeof value === 'string' ? value : '';
}

/** The version of the apiVersion. */
export function versionOf(document: Document): string {
  return memberText(document, 'apiVersion').replace(/^.*\//, '');
}

/** Parses YAML or JSON that is an object. Throws StartError. Source: apimachinery serializer/json, serializer/recognizer. */
export function decodeDocument(text: string, prefix: string): Document {
  try {
    const json = isJson(text) ? text : yamlToJson(text);
    interpretDocument(json);
    const value = parsePlain(json);
    if (isDocument(value)) return value;
    throw new StartError(`${prefix}Object 'Kind' is missing in '${text}'`);
  } catch (error) {
    if (error instanceof YamlError || error instanceof DecodeError) throw new StartError(`${prefix}${error.message}`);
    throw error;
  }
}

function isJson(text: string): boolean {
  return text.trimStart().startsWith('{');
}

/** The text of a document, and what its errors start with. */
interface Decoded {
  readonly text: string;
  readonly prefix: string;
}

/** Throws StartError for a document of another type than those listed. Source: apimachinery runtime/error.go. */
export function checkType(server: ApiServer, document: Document, { text, prefix }: Decoded, types: readonly string[]): void {
  const [version, kind] = [memberText(document, 'apiVersion'), memberText(document, 'kind')];
  const fail = (message: string): never => {
    throw new StartError(`${prefix}${message}`);
  };
  if (kind === '') fail(`Object 'Kind' is missing in '${text}'`);
  if (version === '') fail(`Object 'apiVersion' is missing in '${text}'`);
  if (!types.includes(`${version} ${kind}`))
    fail(`no kind ${quote(kind)} is registered for version ${quote(version)} in scheme "${schemeName(server)}"`);
}

/** Throws StartError for keys that are repeated, and for fields that the struct does not have. */
export function refuseUnknown(document: Document, { goType, fields }: Struct, { text, prefix }: Decoded): void {
  const unknown = unknownFields(document, { goType, fields: { apiVersion: string, kind: string, ...fields } });
  const texts = [...repeatedKeys(text), ...unknown.map(field => `unknown field ${quote(field)}`)];
  if (texts.length > 0) throw new StartError(`${prefix}strict decoding error: ${texts.join(', ')}`);
}

function repeatedKeys(text: string): readonly string[] {
  if (isJson(text)) return duplicateFields(readJson(text));
  try {
    yamlToJsonStrict(text);
    return [];
  } catch (error) {
    if (error instanceof YamlError) return [error.message];
    throw error;
  }
}
