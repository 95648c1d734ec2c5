import { foldCase } from '../../go/json/fold-name.js';
import { type JsonNode, jsonKind } from '../../go/json/node.js';
import { JsonSyntaxError, readJson } from '../../go/json/reader.js';
import { type GroupVersionKind, parseApiVersion } from '../../kubernetes/group-version.js';
import { DecodeError } from './codec.js';

/** A document that has been read so far that it is known what it says it is. */
export interface Interpreted {
  readonly kind: GroupVersionKind;
  /** The whole of it, for those who read on. */
  readonly node: JsonNode;
}

/**
 * What a document says it is, before anything else of it is looked at. Unlike all later reading this finds `apiVersion` and `kind` in any
 * spelling of upper and lower case; empty texts are members that are missing. Throws DecodeError.
 * Source: apimachinery serializer/json SimpleMetaFactory.Interpret, which uses Go's own encoding/json.
 */
export function interpretDocument(text: string): Interpreted {
  const found = { apiversion: '', kind: '' };
  let failure: string | undefined;
  const node = parse(text);
  if (node.type === 'object') {
    for (const { key, value } of node.members) {
      if (key.length !== 'kind'.length && key.length !== 'apiVersion'.length) continue;
      const name = foldCase(key);
      if (name !== 'apiversion' && name !== 'kind') continue;
      if (value.type === 'string') found[name] = value.value;
      else if (!isNull(value)) failure ??= mismatch(value, `Go struct field .${name === 'kind' ? 'kind' : 'apiVersion'} of type string`);
    }
  } else if (!isNull(node)) failure = mismatch(node, `Go value of type ${wantedStruct}`);
  if (failure !== undefined) throw new DecodeError(`couldn't get version/kind; json parse error: ${failure}`);
  const groupVersion = parseApiVersion(found.apiversion);
  if (groupVersion === undefined) throw new DecodeError(`unexpected GroupVersion string: ${found.apiversion}`);
  return { kind: { ...groupVersion, kind: found.kind }, node };
}

const wantedStruct = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function parse(text: string): JsonNode {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new DecodeError(`couldn't get version/kind; json parse error: ${error.message}`);
    throw error;
  }
}

function isNull(node: JsonNode): boolean {
  return node.type === 'literal' && node.value === null;
}

function mismatch(node: JsonNode, into: string): string {
  return `json: cannot unmarshal ${jsonKind(node)} into ${into}`;
}
