import { foldCase } from '../../go/fold-name.js';
import { isNullNode, type JsonNode, jsonKind } from '../../go/json/node.js';
import { JsonSyntaxError, readJson } from '../../go/json/reader.js';
import { textOfGo27 } from '../../go/json/syntax-text.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type GroupVersionKind, parseApiVersion } from '../../kubernetes/group-version.js';
import { DecodeError } from './codec.js';

/** Document parsed far enough to know its type. */
export interface Interpreted {
  readonly kind: GroupVersionKind;
  /** The whole document, for further decoding. */
  readonly node: JsonNode;
}

/**
 * Reads a document's type, before any other field. Unlike later decoding it matches `apiVersion` and `kind` case-insensitively; empty
 * strings count as missing. Throws DecodeError. Source: apimachinery serializer/json SimpleMetaFactory.Interpret, which uses Go's own
 * encoding/json.
 */
export function interpretDocument(text: string, server?: ApiServer): Interpreted {
  const found = { apiversion: '', kind: '' };
  let failure: string | undefined;
  const node = parse(text, server);
  if (node.type === 'object') {
    for (const { key, value } of node.members) {
      const name = typeMember(key);
      if (name === undefined) continue;
      if (value.type === 'string') found[name] = value.value;
      else if (!isNullNode(value))
        // Go 1.27 names the member as it is written.
        failure ??= mismatch(
          value,
          `Go struct field .${server?.since('v1.38') ? key : name === 'kind' ? name : 'apiVersion'} of type string`,
        );
    }
  } else if (!isNullNode(node)) failure = mismatch(node, `Go value of type ${wantedStruct}`);
  if (failure !== undefined) throw new DecodeError(`couldn't get version/kind; json parse error: ${failure}`);
  const groupVersion = parseApiVersion(found.apiversion);
  if (groupVersion === undefined) throw new DecodeError(`unexpected GroupVersion string: ${found.apiversion}`);
  return { kind: { ...groupVersion, kind: found.kind }, node };
}

/** Returns the member of the type that a key means. Most keys are spelled as they should be. */
function typeMember(key: string): 'apiversion' | 'kind' | undefined {
  if (key === 'kind') return 'kind';
  if (key === 'apiVersion') return 'apiversion';
  if (!mayBeType.test(key)) return undefined;
  const name = foldCase(key);
  return name === 'apiversion' || name === 'kind' ? name : undefined;
}

/** The Kelvin sign is folded to `k`. */
const mayBeType = /^(?:[kK\u212a]...|[aA].{9})$/s;

const wantedStruct = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function parse(text: string, server: ApiServer | undefined): JsonNode {
  try {
    return readJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const problem = server?.since('v1.38') ? textOfGo27(text, error) : error.message;
    throw new DecodeError(`couldn't get version/kind; json parse error: ${problem}`);
  }
}

function mismatch(node: JsonNode, into: string): string {
  return `json: cannot unmarshal ${jsonKind(node)} into ${into}`;
}
