import type { Value } from '../kubernetes/value.js';
import { writeValue } from './go-json.js';
import { composeFirst } from './yaml/compose.js';
import { decodeNode } from './yaml/decode.js';
import { jsonableOf } from './yaml/jsonable.js';
import { YamlError } from './yaml/yaml-error.js';

export { YamlError } from './yaml/yaml-error.js';

/**
 * The first document of a YAML text as JSON, keys sorted; `null` when there is none. Of equal keys the last one counts. Bytes that are no UTF-8
 * may stand as lone surrogates (see decodeUtf8Bytes); go-yaml refuses them. Throws YamlError with Go's words.
 * Source: sigs.k8s.io/yaml YAMLToJSON.
 */
export function yamlToJson(text: string): string {
  return jsonOf(text, false);
}

/** The same, but keys that stand twice in a mapping are an error too: `yaml: unmarshal errors:` and a line each. Source: YAMLToJSONStrict. */
export function yamlToJsonStrict(text: string): string {
  return jsonOf(text, true);
}

/**
 * What the API server's strict field validation holds against the YAML of a body before it looks at the JSON: nothing, or the whole text of the
 * strict reader's error. Source: apimachinery runtime/serializer/json.
 */
export function yamlStrictErrors(text: string): readonly string[] {
  try {
    yamlToJsonStrict(text);
    return [];
  } catch (error) {
    if (error instanceof YamlError) return [error.message];
    throw error;
  }
}

function jsonOf(text: string, strict: boolean): string {
  const document = composeFirst(text);
  if (document === undefined) return 'null';
  const { value, repeated } = decodeNode(document, strict);
  if (repeated.length > 0) throw new YamlError(`yaml: unmarshal errors:\n  ${repeated.join('\n  ')}`);
  return writeJson(jsonableOf(value));
}

function writeJson(value: Value): string {
  try {
    return writeValue(value, 'sorted');
  } catch (error) {
    if (error instanceof RangeError) throw new YamlError(error.message);
    throw error;
  }
}
