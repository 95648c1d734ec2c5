import type { JsonNode } from '../../go/json/node.js';
import { readJson } from '../../go/json/reader.js';
import type { RawJson } from '../../go/value.js';

/**
 * Returns the converted objects of an answer's JSON exactly as they were sent, spaces included: errors quote them. The JSON has been read
 * before.
 */
export function rawConvertedObjects(json: string): RawJson[] {
  const objects = member(member(readJson(json), 'response'), 'convertedObjects');
  return objects?.type === 'array' ? objects.items.map(item => ({ rawJson: json.slice(item.start, item.end) })) : [];
}

/** The last member of a name counts. */
function member(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return node?.type === 'object' ? node.members.findLast(m => m.key === name)?.value : undefined;
}
