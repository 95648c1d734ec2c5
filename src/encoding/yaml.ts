import type { Value } from '../kubernetes/value.js';
import { writeValue } from './go-json.js';
import { composeFirst } from './yaml/compose.js';
import { decodeNode, type RepeatedKey } from './yaml/decode.js';
import { jsonableOf } from './yaml/jsonable.js';
import type { YamlNode } from './yaml/nodes.js';
import { YamlError } from './yaml/yaml-error.js';

export { YamlError } from './yaml/yaml-error.js';

/**
 * The first document of a YAML text as JSON, keys sorted; `null` when there is none. Of equal keys the last one counts. Bytes that are no UTF-8
 * may stand as lone surrogates (see decodeUtf8Bytes); go-yaml refuses them. Throws YamlError with Go's words.
 * Source: sigs.k8s.io/yaml YAMLToJSON.
 */
export function yamlToJson(text: string): string {
  return jsonOfNode(composeFirst(text));
}

/** The same, but keys that stand twice in a mapping are an error too: `yaml: unmarshal errors:` and a line each. Source: YAMLToJSONStrict. */
export function yamlToJsonStrict(text: string): string {
  const document = composeFirst(text);
  if (document === undefined) return 'null';
  const { value, repeated } = decodeNode(document, true);
  const [first] = repeated;
  if (first === undefined) return writeJson(jsonableOf(value));
  const lines = repeated.map(({ line, key }) => `\n  line ${line + 1}: key ${key} already set in map`);
  throw new YamlError(`yaml: unmarshal errors:${lines.join('')}`, first);
}

/** The JSON of a document that is already read; none gives `null`. Throws YamlError. */
export function jsonOfNode(document: YamlNode | undefined): string {
  return document === undefined ? 'null' : writeJson(jsonableOf(decodeNode(document, false).value));
}

/** The keys of a document that stand twice in a mapping. Throws YamlError where its JSON cannot be had either. */
export function repeatedKeysOf(document: YamlNode | undefined): readonly RepeatedKey[] {
  return document === undefined ? [] : decodeNode(document, true).repeated;
}

function writeJson(value: Value): string {
  try {
    return writeValue(value, 'sorted');
  } catch (error) {
    if (error instanceof RangeError) throw new YamlError(error.message);
    throw error;
  }
}
