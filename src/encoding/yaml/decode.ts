import { type GoMap, type GoScalar, type GoValue, goSyntax, setEntry } from './go-values.js';
import type { AliasNode, MappingNode, SequenceNode, YamlNode } from './nodes.js';
import { isMergeKey, resolveScalar } from './resolve.js';
import { YamlError } from './yaml-error.js';

export interface DecodedYaml {
  readonly value: GoValue;
  /** Duplicate keys in document order; only with `strict`. */
  readonly repeated: readonly RepeatedKey[];
}

export interface RepeatedKey {
  /** Line of its value, counted from 0. */
  readonly line: number;
  readonly column: number;
  /** In Go's syntax: `"a"`. */
  readonly key: string;
}

/**
 * Decodes a document: resolves scalars, replaces aliases, applies merge keys (`<<`). Of duplicate keys the last one counts, or, with
 * `strict`, the first. Throws YamlError for keys that are collections, anchors that contain themselves, and more aliases than go-yaml
 * allows. Does not recurse. Source: go-yaml v2 decode.go.
 */
export function decodeNode(root: YamlNode, strict: boolean): DecodedYaml {
  const decoding: Decoding = { strict, repeated: [], open: [], active: new Set(), count: 1, aliasCount: 0 };
  let value = begin(decoding, { node: root });
  for (let frame = decoding.open.at(-1); frame !== undefined; frame = decoding.open.at(-1)) {
    if (value !== undefined) receive(decoding, frame, value);
    const part = nextPart(frame);
    value = part === undefined ? end(decoding) : begin(decoding, part);
  }
  return { value: value ?? null, repeated: decoding.repeated };
}

interface Decoding {
  readonly strict: boolean;
  readonly repeated: RepeatedKey[];
  readonly open: Frame[];
  readonly active: Set<AliasNode>;
  /** Decoded nodes, including the document, and how many of them within aliases. */
  count: number;
  aliasCount: number;
}

/** Node to decode; `into`: a mapping whose entries go into that map; `merges`: a list of such mappings. */
interface Part {
  readonly node: YamlNode;
  readonly into?: GoMap;
  readonly merges?: boolean;
}

type Frame = SequenceFrame | MappingFrame | MergesFrame | AliasFrame;

interface SequenceFrame {
  readonly type: 'sequence';
  readonly node: SequenceNode;
  readonly list: GoValue[];
  at: number;
}

interface MappingFrame {
  readonly type: 'mapping';
  readonly node: MappingNode;
  readonly map: GoMap;
  at: number;
  /** Part of the pair before `at` that is being decoded. */
  part: 'key' | 'value' | 'merge';
  key: GoScalar;
}

interface MergesFrame {
  readonly type: 'merges';
  readonly items: readonly YamlNode[];
  readonly into: GoMap;
  /** Items left, the first ones: they are merged from the end. */
  left: number;
}

interface AliasFrame {
  readonly type: 'alias';
  readonly node: AliasNode;
  readonly into: GoMap | undefined;
  begun: boolean;
  value: GoValue;
}

/** Decodes a scalar, or opens a collection or alias and returns undefined. */
function begin(decoding: Decoding, { node, into, merges }: Part): GoValue | undefined {
  const { open } = decoding;
  if (merges === true && into !== undefined && node.kind === 'sequence') {
    open.push({ type: 'merges', items: node.items, into, left: node.items.length });
    return undefined;
  }
  count(decoding);
  switch (node.kind) {
    case 'scalar':
      return resolveScalar(node);
    case 'sequence':
      open.push({ type: 'sequence', node, list: [], at: 0 });
      return undefined;
    case 'mapping':
      open.push({ type: 'mapping', node, map: into ?? new Map(), at: 0, part: 'key', key: null });
      return undefined;
    case 'alias':
      if (decoding.active.has(node)) throw new YamlError(`yaml: anchor '${node.name}' value contains itself`, node);
      decoding.active.add(node);
      open.push({ type: 'alias', node, into, begun: false, value: null });
      return undefined;
  }
}

function count(decoding: Decoding): void {
  decoding.count += 1;
  if (decoding.active.size > 0) decoding.aliasCount += 1;
  const { aliasCount } = decoding;
  if (aliasCount > 100 && decoding.count > 1000 && aliasCount / decoding.count > allowedAliasRatio(decoding.count)) {
    throw new YamlError('yaml: document contains excessive aliasing');
  }
}

/** Max share of nodes from aliases: nearly all of a small document, a tenth of one with millions of nodes. */
function allowedAliasRatio(nodes: number): number {
  if (nodes <= 400_000) return 0.99;
  if (nodes >= 4_000_000) return 0.1;
  return 0.99 - 0.89 * ((nodes - 400_000) / 3_600_000);
}

/** Stores the value of the last started part. */
function receive(decoding: Decoding, frame: Frame, value: GoValue): void {
  if (frame.type === 'sequence') frame.list.push(value);
  else if (frame.type === 'alias') frame.value = value;
  else if (frame.type === 'mapping' && frame.part === 'key') frame.key = yamlKeyOf(frame, value);
  else if (frame.type === 'mapping' && frame.part === 'value') setPair(decoding, frame, value);
}

function yamlKeyOf({ node, at }: MappingFrame, value: GoValue): GoScalar {
  if (value !== null && typeof value === 'object') {
    throw new YamlError(`yaml: invalid map key: ${goSyntax(value)}`, node.pairs[at - 1]?.key);
  }
  return value;
}

function setPair({ strict, repeated }: Decoding, { node, map, at, key }: MappingFrame, value: GoValue): void {
  if (strict && map.has(key) && !Number.isNaN(key)) {
    const { line, column } = node.pairs[at - 1]?.value ?? node;
    repeated.push({ line, column, key: goSyntax(key) });
  } else {
    setEntry(map, key, value);
  }
}

/** Returns the next part of a collection; undefined at its end. */
function nextPart(frame: Frame): Part | undefined {
  switch (frame.type) {
    case 'sequence': {
      const node = frame.node.items[frame.at];
      frame.at += 1;
      return node === undefined ? undefined : { node };
    }
    case 'mapping':
      return nextInMapping(frame);
    case 'merges':
      frame.left -= 1;
      return frame.left < 0 ? undefined : mergePart(frame.items[frame.left], frame.into);
    case 'alias': {
      if (frame.begun) return undefined;
      frame.begun = true;
      return frame.into === undefined ? { node: frame.node.target } : { node: frame.node.target, into: frame.into };
    }
  }
}

function nextInMapping(frame: MappingFrame): Part | undefined {
  const begun = frame.node.pairs[frame.at - 1];
  if (begun !== undefined && frame.part === 'key') {
    frame.part = 'value';
    return { node: begun.value };
  }
  const pair = frame.node.pairs[frame.at];
  if (pair === undefined) return undefined;
  frame.at += 1;
  const { key, value } = pair;
  if (key.kind !== 'scalar' || !isMergeKey(key)) {
    frame.part = 'key';
    return { node: key };
  }
  frame.part = 'merge';
  return value.kind === 'sequence' ? { node: value, into: frame.map, merges: true } : mergePart(value, frame.map);
}

function mergePart(node: YamlNode | undefined, into: GoMap): Part {
  const merged = node?.kind === 'alias' ? node.target : node;
  if (node === undefined || merged?.kind !== 'mapping') {
    throw new YamlError('yaml: map merge requires map or sequence of maps as the value', node);
  }
  return { node, into };
}

/** Closes the top frame and returns its value. */
function end(decoding: Decoding): GoValue {
  const frame = decoding.open.pop();
  if (frame === undefined) return null;
  switch (frame.type) {
    case 'sequence':
      return frame.list;
    case 'mapping':
      return frame.map;
    case 'merges':
      return frame.into;
    case 'alias':
      decoding.active.delete(frame.node);
      return frame.value;
  }
}
