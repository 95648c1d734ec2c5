import type { FieldInText } from '../text/field-in-text.js';
import type { DocumentText } from '../text/file-documents.js';
import { entryOf, type MapTextEntry, type TextNode, targetOfAlias } from '../text/text-node.js';

interface Found {
  readonly node: TextNode;
  readonly entry: MapTextEntry | undefined;
}

type JsonKind = 'number' | 'string' | 'bool' | 'array' | 'object' | 'null';

/**
 * Finds the value that an error of Go's JSON decoder is about: `json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string`.
 * Its path leaves out indices of lists and keys of maps, and contains the names of embedded structs. Undefined if no value of that kind is there.
 */
export function valueOfDecoderError(root: TextNode, format: DocumentText['format'], message: string): FieldInText | undefined {
  const [, kind = '', literal, path = ''] =
    /json: cannot unmarshal (\w+)(?: (\S+))? into Go struct field \w*\.([\w.-]+) of type /.exec(message) ?? [];
  if (path === '') return undefined;
  const names = path.split('.').filter(name => !/^[A-Z]/.test(name));
  const isWrong = ({ node }: Found): boolean => kindOfNode(node, format) === kind && (literal === undefined || isWritten(node, literal));
  const fields = [...fieldsNamed({ node: root, entry: undefined }, names, new Map())];
  // The type of a list or map is that of its items, which are therefore tried first: the field of a list may be one.
  const wrong = fields.flatMap(childrenOf).find(isWrong) ?? fields.find(isWrong);
  return wrong === undefined ? undefined : { ...wrong, missing: '' };
}

/** A number that does not fit is named. */
function isWritten(node: TextNode, literal: string): boolean {
  const target = targetOfAlias(node);
  return target.kind === 'scalar' && target.value === literal;
}

/**
 * Returns the fields with a path, in the order of the text. Where a map does not have the name, its keys are left out of the path. `seen` holds the nodes that
 * were visited, by the number of names that were left: aliases can repeat a node often, and contain themselves.
 */
function* fieldsNamed(from: Found, names: readonly string[], seen: Map<number, Set<TextNode>>): Generator<Found> {
  const [name, ...rest] = names;
  const target = targetOfAlias(from.node);
  const visited = seen.get(names.length) ?? new Set();
  if (visited.has(target)) return;
  seen.set(names.length, visited.add(target));
  if (name === undefined) {
    yield from;
    return;
  }
  const entry = entryOf(from.node, name);
  if (entry !== undefined) yield* fieldsNamed({ node: entry.value, entry }, rest, seen);
  else for (const child of childrenOf(from)) yield* fieldsNamed(child, names, seen);
}

function childrenOf({ node }: Found): readonly Found[] {
  const target = targetOfAlias(node);
  if (target.kind === 'list') return target.items.map(item => ({ node: item, entry: undefined }));
  return target.kind === 'map' ? target.entries.map(entry => ({ node: entry.value, entry })) : [];
}

function kindOfNode(node: TextNode, format: DocumentText['format']): JsonKind {
  const target = targetOfAlias(node);
  if (target.kind === 'list') return 'array';
  if (target.kind === 'map') return 'object';
  if (target.kind === 'scalar' && target.style === 'plain') return kindOfPlain(target.value, format);
  return 'string';
}

/** YAML 1.1, as kubectl reads it. */
function kindOfPlain(text: string, format: DocumentText['format']): JsonKind {
  if (/^(?:true|false)$/.test(text)) return 'bool';
  if (/^[-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$|^[-+]?0(?:x[\da-fA-F_]+|o?[0-7_]+|b[01_]+)$/.test(text)) return 'number';
  if (format === 'json') return text === 'null' ? 'null' : 'string';
  if (/^(?:y|yes|on|n|no|off|true|false)$/i.test(text)) return 'bool';
  return /^(?:~|null|)$/i.test(text) ? 'null' : 'string';
}
