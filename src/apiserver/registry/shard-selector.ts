import { celGoOf } from '../../cel/environment/environment.js';
import type { CallNode, Expr } from '../../cel/syntax/ast.js';
import { parse } from '../../cel/syntax/parse.js';
import { sourceOf } from '../../cel/syntax/source.js';
import { quote } from '../../go/quote.js';
import { stringAt, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';

/** Shards of a list or a watch: ranges of the hash of one field of their objects. */
export interface ShardSelector {
  /** `shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')`, joined by ` || `. */
  readonly text: string;
  readonly matches: (object: ValueMap) => boolean;
}

interface ShardRange {
  readonly field: string;
  readonly start: string;
  readonly end: string;
}

/** A selector that cannot be parsed; the message is the API server's. */
export class ShardSelectorError extends Error {
  override readonly name = 'ShardSelectorError';
}

/**
 * Parses a shard selector, an expression of `shardRange` and `||`. Throws ShardSelectorError. Source: apiserver pkg/sharding/parser.go,
 * apimachinery pkg/sharding/selector.go.
 */
export function parseShardSelector(text: string, server: ApiServer): ShardSelector {
  const trimmed = text.trim();
  if (trimmed === '') throw new ShardSelectorError('empty shard selector is not allowed; omit the parameter for unfiltered lists');
  const parsed = parse(sourceOf(trimmed), { macros: [], celGo: celGoOf(server) });
  if (parsed.outcome === 'invalid') throw new ShardSelectorError(`CEL parse error: ${parsed.issues.found[0]?.message ?? ''}`);
  const ranges = rangesIn(parsed.expr);
  const field = ranges[0]?.field ?? '';
  for (const range of ranges)
    if (range.field !== field)
      throw new ShardSelectorError(`all shard ranges must use the same field, got ${quote(field)} and ${quote(range.field)}`);
  const path = field.split('.').slice(1);
  return {
    text: ranges.map(({ start, end }) => `shardRange(${field}, '${start}', '${end}')`).join(' || '),
    matches: object => {
      const hash = `0x${hashOf(stringAt(object, ...path))}`;
      return ranges.some(({ start, end }) => !isLess(hash, start) && isLess(hash, end));
    },
  };
}

function rangesIn({ node }: Expr): ShardRange[] {
  if (node.kind !== 'call')
    throw new ShardSelectorError(`unexpected expression kind ${kindOf(node.kind)}; expected shardRange() call or || operator`);
  if (node.function === '_||_') return node.args.flatMap(rangesIn);
  if (node.function === 'shardRange') return [rangeOf(node)];
  throw new ShardSelectorError(`unsupported function ${quote(node.function)}; only shardRange() and || are allowed`);
}

function rangeOf({ args }: CallNode): ShardRange {
  const [of, from, to] = args;
  if (of === undefined || from === undefined || to === undefined || args.length !== 3)
    throw new ShardSelectorError(`shardRange() requires exactly 3 arguments, got ${args.length}`);
  const field = fieldIn(of);
  if (field !== 'object.metadata.uid' && field !== 'object.metadata.namespace')
    throw new ShardSelectorError(`unsupported field path ${quote(field)}; supported: object.metadata.uid, object.metadata.namespace`);
  const [start, end] = [hexIn(from, 'hexStart'), hexIn(to, 'hexEnd')];
  if (!isLess(start, end)) throw new ShardSelectorError(`shard range start ${start} must be less than end ${end}`);
  return { field, start, end };
}

function fieldIn({ node }: Expr): string {
  if (node.kind === 'ident') return node.name;
  if (node.kind === 'select') return `${fieldIn(node.operand)}.${node.field}`;
  const kind = kindOf(node.kind);
  throw new ShardSelectorError(`shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind ${kind}`);
}

const longestHex = 17;
/** The end of all hashes, 2^64. */
const hexEnd = '0x10000000000000000';

function hexIn({ node }: Expr, name: string): string {
  const fail = (why: string): ShardSelectorError => new ShardSelectorError(`${name}${why}`);
  if (node.kind !== 'literal') throw fail(` must be a string literal (e.g. '0xff'), got expression kind ${kindOf(node.kind)}`);
  const { value } = node;
  if (typeof value !== 'string') throw fail(` must be a string literal, got ${goTypeOfLiteral(value)}`);
  if (!value.startsWith('0x')) throw fail(` must have '0x' prefix, got ${quote(value)}`);
  const hex = value.slice(2);
  if (hex === '') throw fail(": hex value is required after '0x'");
  const length = Buffer.byteLength(hex);
  if (length > longestHex) throw fail(`: hex value too long (${length} chars, max ${longestHex}): ${quote(hex)}`);
  const wrong = [...hex].find(character => !/[0-9a-f]/.test(character));
  if (wrong !== undefined) throw fail(`: invalid hex character ${quote(wrong)} in ${quote(value)}`);
  if (length === longestHex && value !== hexEnd) throw fail(`: 17-digit hex value must be '${hexEnd}' (2^64), got ${quote(value)}`);
  if (length < 16)
    throw fail(` must be a 0x-prefixed 16-digit hex value, got ${quote(value)} (did you mean ${quote(`0x${hex.padStart(16, '0')}`)}?)`);
  return value;
}

/** Numbers of the kinds of expressions. Source: cel-go common/ast/expr.go. */
const kinds = ['unspecified', 'call', 'comprehension', 'ident', 'list', 'literal', 'map', 'select', 'struct'];

function kindOf(kind: string): number {
  return kinds.indexOf(kind);
}

function goTypeOfLiteral(value: unknown): string {
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return 'float64';
  if (typeof value === 'boolean') return 'bool';
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;
  if (kind === 'uint') return 'uint64';
  return kind === 'bytes' ? '[]uint8' : 'structpb.NullValue';
}

/** Compares hexadecimal numbers of 16 digits, and 2^64, which has 17. */
function isLess(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}

/** FNV-1a with 64 bits, as 16 hexadecimal digits. Source: apimachinery pkg/sharding/hash.go. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}
