import type { JsonNode } from '../../go/json/node.js';
import { readJson } from '../../go/json/reader.js';
import type { RawJson } from '../../go/value.js';

/** Returns the raw text of a response's converted objects, white space included, because errors quote it. The JSON is already validated. */
export function rawConvertedObjects(json: string): RawJson[] {
  const objects = member(member(readJson(json), 'response'), 'convertedObjects');
  return objects?.type === 'array' ? objects.items.map(item => ({ rawJson: json.slice(item.start, item.end) })) : [];
}

/** Returns a member of a node; the last of several with the same name. */
function member(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return node?.type === 'object' ? node.members.findLast(m => m.key === name)?.value : undefined;
}
