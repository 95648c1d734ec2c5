import { readGoFields, type Struct, textField as string, unknownFields } from '../../cli/work/apiserver/go-fields.js';
import { StartError } from '../../cli/work/apiserver/start-error.js';
import { parsePlain } from '../../encoding/plain-json.js';
import { YamlError, yamlToJson } from '../../encoding/yaml.js';
import { ownMember } from '../../go/own-members.js';
import { quote } from '../../go/quote.js';

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

/** Parses YAML that is an object. Throws StartError. */
export function decodeDocument(text: string, prefix: string): Document {
  try {
    const value = parsePlain(yamlToJson(text));
    if (isDocument(value)) return value;
    throw new StartError(`${prefix}Object 'Kind' is missing in '${text}'`);
  } catch (error) {
    if (error instanceof YamlError) throw new StartError(`${prefix}${error.message}`);
    throw error;
  }
}

/** Throws StartError for a document of another type than those listed. Source: apimachinery runtime/error.go. */
export function checkType(document: Document, text: string, prefix: string, types: readonly string[]): void {
  const [version, kind] = [memberText(document, 'apiVersion'), memberText(document, 'kind')];
  const fail = (message: string): never => {
    throw new StartError(`${prefix}${message}`);
  };
  if (kind === '') fail(`Object 'Kind' is missing in '${text}'`);
  if (version === '') fail(`Object 'apiVersion' is missing in '${text}'`);
  if (!types.includes(`${version} ${kind}`))
    fail(`no kind ${quote(kind)} is registered for version ${quote(version)} in scheme "pkg/runtime/scheme.go:111"`);
}

/** Throws StartError for fields that the struct does not have. */
export function refuseUnknown(document: Document, { goType, fields }: Struct, prefix: string): void {
  const unknown = unknownFields(document, { goType, fields: { apiVersion: string, kind: string, ...fields } });
  if (unknown.length === 0) return;
  const texts = unknown.map(field => `unknown field ${quote(field)}`);
  throw new StartError(`${prefix}strict decoding error: ${texts.join(', ')}`);
}
