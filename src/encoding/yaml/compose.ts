import { composeCommon } from './compose-common.js';
import { type YamlInput, yamlInputOf } from './input.js';
import type { AliasNode, MappingNode, SequenceNode, YamlNode, YamlScalarNode } from './nodes.js';
import { nextEvent, parserOf } from './parser.js';
import type { Event } from './parser-state.js';
import { YamlError } from './yaml-error.js';

/**
 * Parses the first document of a YAML text into a tree; undefined if there is none. The text after it is not parsed. Does not recurse.
 * Throws YamlError. Source: go-yaml v2 decode.go.
 */
export function composeFirst(text: string): YamlNode | undefined {
  const input = yamlInputOf(text === '' ? '\n' : text);
  return composeCommon(input) ?? composeAny(input);
}

/** Parses the same with the complete grammar of go-yaml. */
export function composeAny(input: YamlInput): YamlNode | undefined {
  const parser = parserOf(input);
  if (nextEvent(parser).type === 'stream-end') return undefined;
  const root: SequenceNode = { kind: 'sequence', line: 0, column: 0, items: [] };
  const open: Open[] = [{ node: root, key: undefined }];
  const anchors = new Map<string, AliasNode['target']>();
  for (let event = nextEvent(parser); event.type !== 'document-end'; event = nextEvent(parser)) {
    if (event.type === 'collection-end') {
      open.pop();
      continue;
    }
    const node = nodeOf(event, anchors);
    const around = open.at(-1);
    if (around === undefined) throw new Error('a YAML document continues after its end');
    add(around, node);
    if (node.kind === 'sequence' || node.kind === 'mapping') open.push({ node, key: undefined });
  }
  return root.items[0];
}

interface Open {
  readonly node: SequenceNode | MappingNode;
  /** In a mapping: the key that waits for its value. */
  key: YamlNode | undefined;
}

function add(around: Open, node: YamlNode): void {
  if (around.node.kind === 'sequence') {
    around.node.items.push(node);
  } else if (around.key === undefined) {
    around.key = node;
  } else {
    around.node.pairs.push({ key: around.key, value: node });
    around.key = undefined;
  }
}

function nodeOf(event: Event, anchors: Map<string, AliasNode['target']>): YamlNode {
  const { line, column } = event.mark;
  switch (event.type) {
    case 'alias': {
      const target = anchors.get(event.name);
      if (target === undefined) throw new YamlError(`yaml: unknown anchor '${event.name}' referenced`, event.mark);
      return { kind: 'alias', line, column, name: event.name, target };
    }
    case 'scalar': {
      const { tag, value, implicit } = event;
      return anchored({ kind: 'scalar', line, column, tag, value, implicit } satisfies YamlScalarNode, event.anchor, anchors);
    }
    case 'sequence-start':
      return anchored({ kind: 'sequence', line, column, items: [] } satisfies SequenceNode, event.anchor, anchors);
    case 'mapping-start':
      return anchored({ kind: 'mapping', line, column, pairs: [] } satisfies MappingNode, event.anchor, anchors);
    default:
      throw new Error(`a YAML document holds ${event.type}`);
  }
}

function anchored<T extends AliasNode['target']>(node: T, anchor: string, anchors: Map<string, AliasNode['target']>): T {
  if (anchor !== '') anchors.set(anchor, node);
  return node;
}
