import { writeValue } from '../go/json/write.js';
import type { Value } from '../go/value.js';
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
  const document = composeFirst(text);
  return document === undefined ? 'null' : writeJson(jsonableOf(decodeNode(document, false).value));
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

/** The JSON of a document that is already read, and its keys that stand twice in a mapping; without a document `null`. Throws YamlError. */
export function jsonOfNode(document: YamlNode | undefined): { readonly json: string; readonly repeated: readonly RepeatedKey[] } {
  if (document === undefined) return { json: 'null', repeated: [] };
  const first = decodeNode(document, true);
  const { repeated } = first;
  // Hardly any document has such keys: the first of them counts there, the last one here.
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
