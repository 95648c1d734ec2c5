import type { JsonNode } from '../go/json/node.js';
import { pointerSteps } from './json-pointer.js';
import { decodeScalarKey } from './yaml/jsonable.js';
import type { MappingNode, YamlNode } from './yaml/nodes.js';
import { isMergeKey } from './yaml/resolve.js';

/**
 * Returns the position of a JSON pointer in a YAML document: the key of a member, the item of a list, the root itself. Of duplicate keys
 * the last one counts; aliases and merge keys are followed. For a missing node it is the nearest node around it. Line and column count
 * from 0.
 */
export function placeInYaml(root: YamlNode, pointer: string): { readonly line: number; readonly column: number } {
  let place = root;
  let node: YamlNode | undefined = root;
  for (const step of pointerSteps(pointer)) {
    const found: Found | undefined = node === undefined ? undefined : stepInYaml(node, step);
    if (found === undefined) break;
    place = found.place;
    node = found.value;
  }
  return { line: place.line, column: place.column };
}

/** Returns the offset of a JSON pointer in a parsed JSON text. */
export function placeInJson(root: JsonNode, pointer: string): number {
  let place = root.start;
  let node = root;
  for (const step of pointerSteps(pointer)) {
    if (node.type === 'object') {
      const member = node.members.findLast(m => m.key === step);
      if (member === undefined) break;
      place = member.keyStart;
      node = member.value;
    } else {
      const item = node.type === 'array' && isIndex(step) ? node.items[Number(step)] : undefined;
      if (item === undefined) break;
      place = item.start;
      node = item;
    }
  }
  return place;
}

interface Found {
  readonly place: YamlNode;
  readonly value: YamlNode;
}

function stepInYaml(node: YamlNode, step: string): Found | undefined {
  const target = node.kind === 'alias' ? node.target : node;
  if (target.kind === 'mapping') return memberOf(target, step, new Set());
  const item = target.kind === 'sequence' && isIndex(step) ? target.items[Number(step)] : undefined;
  return item === undefined ? undefined : { place: item, value: item };
}

/** Returns the last pair that sets the key, possibly in a merged map. `around` holds the mappings being searched. */
function memberOf(mapping: MappingNode, step: string, around: Set<MappingNode>): Found | undefined {
  if (around.has(mapping)) return undefined;
  around.add(mapping);
  let found: Found | undefined;
  for (const { key, value } of mapping.pairs) {
    if (key.kind === 'scalar' && isMergeKey(key)) {
      for (const merged of mergedMappings(value)) found = memberOf(merged, step, around) ?? found;
    } else if (decodeScalarKey(key) === step) {
      found = { place: key, value };
    }
  }
  around.delete(mapping);
  return found;
}

/** Returns merged mappings in the order in which they apply: from the end of a list. */
function mergedMappings(value: YamlNode): MappingNode[] {
  const nodes = value.kind === 'sequence' ? value.items.toReversed() : [value];
  return nodes.map(node => (node.kind === 'alias' ? node.target : node)).filter(node => node.kind === 'mapping');
}

function isIndex(step: string): boolean {
  return /^(0|[1-9][0-9]*)$/.test(step);
}
