import { writeValue } from '../go/json/write.js';
import type { Value } from '../go/value.js';
import { composeFirst } from './yaml/compose.js';
import { decodeNode, type RepeatedKey } from './yaml/decode.js';
import { jsonableOf } from './yaml/jsonable.js';
import type { YamlNode } from './yaml/nodes.js';
import { YamlError } from './yaml/yaml-error.js';

export { YamlError } from './yaml/yaml-error.js';

/**
 * Converts the first document of a YAML text to JSON with sorted keys; `null` if there is none. Of duplicate keys the last one counts.
 * Bytes that are not UTF-8 may be lone surrogates (see decodeUtf8Bytes); go-yaml rejects them. Throws YamlError with Go's message. Source:
 * sigs.k8s.io/yaml YAMLToJSON.
 */
export function yamlToJson(text: string): string {
  const document = composeFirst(text);
  return document === undefined ? 'null' : writeJson(jsonableOf(decodeNode(document, false).value));
}

/** Like `yamlToJson`, but duplicate keys are an error, too: `yaml: unmarshal errors:` and a line for each. Source: YAMLToJSONStrict. */
export function yamlToJsonStrict(text: string): string {
  const document = composeFirst(text);
  if (document === undefined) return 'null';
  const { value, repeated } = decodeNode(document, true);
  const [first] = repeated;
  if (first === undefined) return writeJson(jsonableOf(value));
  const lines = repeated.map(({ line, key }) => `\n  line ${line + 1}: key ${key} already set in map`);
  throw new YamlError(`yaml: unmarshal errors:${lines.join('')}`, first);
}

/** Returns the JSON of a parsed document and its duplicate keys; `null` without a document. Throws YamlError. */
export function jsonOfNode(document: YamlNode | undefined): { readonly json: string; readonly repeated: readonly RepeatedKey[] } {
  if (document === undefined) return { json: 'null', repeated: [] };
  const first = decodeNode(document, true);
  const { repeated } = first;
  // Duplicate keys are rare: the first one counts there, the last one here.
  const { value } = repeated.length === 0 ? first : decodeNode(document, false);
  return { json: writeJson(jsonableOf(value)), repeated };
}

function writeJson(value: Value): string {
  try {
    return writeValue(value, 'sorted');
  } catch (error) {
    if (error instanceof RangeError) throw new YamlError(error.message);
    throw error;
  }
}
