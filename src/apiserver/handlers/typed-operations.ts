import { type JsonNode, jsonKind } from '../../go/json/node.js';
import { JsonSyntaxError, readJson } from '../../go/json/reader.js';
import { badRequest } from '../../kubernetes/status-errors.js';

/**
 * Checks that a JSON patch is a list of operations whose `op`, `path` and `from` are strings before it is decoded, unless field validation
 * is off. Throws a 400 with the first error. Source: apiserver handlers/patch.go jsonPatchOp.
 */
export function checkTypedOperations(text: string): void {
  const fault = firstFault(read(text));
  if (fault !== undefined) throw badRequest(`error decoding patch: json: cannot unmarshal ${fault}`);
}

function read(text: string): JsonNode {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badRequest(`error decoding patch: ${error.message}`);
    throw error;
  }
}

function firstFault(patch: JsonNode): string | undefined {
  if (jsonKind(patch) === 'null') return undefined;
  if (patch.type !== 'array') return `${jsonKind(patch)} into Go value of type []handlers.jsonPatchOp`;
  for (const operation of patch.items) {
    if (jsonKind(operation) === 'null') continue;
    if (operation.type !== 'object') return `${jsonKind(operation)} into Go value of type handlers.jsonPatchOp`;
    const wrong = operation.members.find(({ key, value }) => texts.has(key) && value.type !== 'string' && jsonKind(value) !== 'null');
    if (wrong !== undefined) return `${jsonKind(wrong.value)} into Go struct field jsonPatchOp.${wrong.key} of type string`;
  }
  return undefined;
}

const texts = new Set(['op', 'path', 'from']);
