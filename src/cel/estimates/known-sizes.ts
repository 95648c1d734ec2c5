import type { CheckedExpression } from '../program/compile.js';
import type { Expr } from '../syntax/ast.js';
import { codePointCount } from '../values/text.js';
import { DYN, type Type } from '../values/type.js';
import type { CelValue } from '../values/value.js';
import { type AccessPath, extended } from './access-path.js';
import type { DeclaredSizes } from './estimated-call.js';
import { eitherSize, exactSize, type SizeEstimate, unknownSize } from './size-estimate.js';

/** Sizes of the elements of a list or the entries of a map. Source: cel-go checker/cost.go entrySizeEstimate. */
export interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: SizeEstimate;
  readonly value: SizeEstimate;
}

/** A variable declared by a comprehension or binding. */
export interface LocalVariable {
  readonly path: AccessPath | undefined;
  readonly size: SizeEstimate | undefined;
  readonly entries: EntrySizes | undefined;
}

/** Paths, sizes and entries known while an expression's cost is estimated, by node id. Source: cel-go checker/cost.go coster. */
export interface KnownSizes {
  /** Estimates a node. A member, because the estimates of calls and comprehensions call it recursively. */
  readonly estimateNode: (known: KnownSizes, e: Expr) => bigint;
  readonly checked: CheckedExpression;
  readonly declaredSizes: DeclaredSizes;
  readonly paths: Map<number, AccessPath | undefined>;
  readonly sizes: Map<number, SizeEstimate>;
  readonly entries: Map<number, EntrySizes>;
  /** Innermost last. */
  readonly locals: Map<string, LocalVariable[]>;
}

export function newKnownSizes(
  checked: CheckedExpression,
  declaredSizes: DeclaredSizes,
  estimateNode: KnownSizes['estimateNode'],
): KnownSizes {
  return { checked, declaredSizes, estimateNode, paths: new Map(), sizes: new Map(), entries: new Map(), locals: new Map() };
}

/** The maximum cost of a part of an expression. */
export function costOf(known: KnownSizes, e: Expr): bigint {
  return known.estimateNode(known, e);
}

export function typeOfExpr({ checked }: KnownSizes, e: Expr): Type {
  return checked.types.get(e.id) ?? DYN;
}

/** The innermost local variable of a name. */
export function localVariable({ locals }: KnownSizes, name: string): LocalVariable | undefined {
  return locals.get(name)?.at(-1);
}

export function pushLocal({ locals }: KnownSizes, name: string, variable: LocalVariable): void {
  const stack = locals.get(name);
  if (stack === undefined) locals.set(name, [variable]);
  else stack.push(variable);
}

export function popLocal({ locals }: KnownSizes, name: string): void {
  locals.get(name)?.pop();
}

/** A local variable bound to an expression. */
export function localFor(known: KnownSizes, e: Expr): LocalVariable {
  return { path: pathOfExpr(known, e), size: sizeOfExpr(known, e), entries: entriesOfExpr(known, e) };
}

/** The path from a variable to a value; undefined when there is none. */
export function pathOfExpr(known: KnownSizes, e: Expr): AccessPath | undefined {
  const local = localOf(known, e);
  return local === undefined ? known.paths.get(e.id) : local.path;
}

/** Records that an expression is a step into another one. */
export function extendPath(known: KnownSizes, e: Expr, { from, step }: { readonly from: Expr; readonly step: string }): void {
  known.paths.set(e.id, extended(pathOfExpr(known, from), step));
}

/** The size of an expression: as computed, as a literal, as declared, of its type, or of its variable. */
export function sizeOfExpr(known: KnownSizes, e: Expr): SizeEstimate | undefined {
  const found = known.sizes.get(e.id) ?? writtenSize(e);
  if (found !== undefined) return found;
  const path = pathOfExpr(known, e);
  const declared = path && known.declaredSizes(path);
  setSize(known, e, declared);
  if (declared !== undefined) return declared;
  return isScalar(typeOfExpr(known, e)) ? exactSize(1n) : localOf(known, e)?.size;
}

export function sizeOrUnknown(known: KnownSizes, e: Expr): SizeEstimate {
  return sizeOfExpr(known, e) ?? unknownSize;
}

export function setSize({ sizes }: KnownSizes, e: Expr, size: SizeEstimate | undefined): void {
  if (size !== undefined) sizes.set(e.id, size);
}

export function entriesOfExpr(known: KnownSizes, e: Expr): EntrySizes | undefined {
  return known.entries.get(e.id) ?? localOf(known, e)?.entries;
}

export function setEntries({ entries }: KnownSizes, e: Expr, sizes: EntrySizes | undefined): void {
  if (sizes !== undefined) entries.set(e.id, sizes);
}

/** Entries of a value that is one of two; unknown unless both are known. */
export function eitherEntries(a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined {
  return a && b && { container: a.container, key: eitherSize(a.key, b.key), value: eitherSize(a.value, b.value) };
}

function localOf(known: KnownSizes, { node }: Expr): LocalVariable | undefined {
  return node.kind === 'ident' ? localVariable(known, node.name) : undefined;
}

/** The size of a literal. */
function writtenSize({ node }: Expr): SizeEstimate | undefined {
  switch (node.kind) {
    case 'literal':
      return exactSize(BigInt(literalSize(node.value)));
    case 'list':
      return exactSize(BigInt(node.elements.length));
    case 'map':
      return exactSize(BigInt(node.entries.length));
    default:
      return undefined;
  }
}

function literalSize(value: CelValue): number {
  if (typeof value === 'string') return codePointCount(value);
  return typeof value === 'object' && value.kind === 'bytes' ? value.bytes.length : 1;
}

const scalars: readonly string[] = ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'];

/** Reports whether all values of a type have the same size. */
function isScalar({ kind, name, parameters: [parameter] }: Type): boolean {
  if (kind === 'opaque') return name === 'optional_type' && parameter !== undefined && isScalar(parameter);
  return scalars.includes(kind);
}
