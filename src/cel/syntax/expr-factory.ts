import type { CelValue } from '../values/value.js';
import type { ComprehensionNode, Expr, ExprNode, MapEntry } from './ast.js';
import { type CelSource, locationAt, noLocation, type SourceLocation } from './source.js';

/** Creates nodes with ids, and records their positions. */
export interface ExprFactory {
  readonly source: CelSource;
  nextId: number;
  /** Offset of each node's first character; -1 for a node without position. */
  readonly offsets: Map<number, number>;
}

/** Accumulator variable of macros; expressions cannot name it. */
export const accumulatorName = '@result';

export function exprFactory(source: CelSource): ExprFactory {
  return { source, nextId: 1, offsets: new Map() };
}

/** Returns a new node id for an offset. */
export function newId(factory: ExprFactory, offset: number): number {
  const id = factory.nextId;
  factory.nextId += 1;
  factory.offsets.set(id, offset);
  return id;
}

/** Location of a node; noLocation when unknown. */
export function locationOf(factory: ExprFactory, id: number): SourceLocation {
  const offset = factory.offsets.get(id);
  return offset === undefined ? noLocation : locationAt(factory.source, offset);
}

/** Creates a node at an offset. */
export function newExpr(factory: ExprFactory, offset: number, node: ExprNode): Expr {
  return { id: newId(factory, offset), node };
}

/** Creates the nodes of a macro expansion, all at the position of the macro call. */
export interface MacroBuilder {
  readonly factory: ExprFactory;
  readonly offset: number;
  literal(value: CelValue): Expr;
  ident(name: string): Expr;
  accumulator(): Expr;
  call(name: string, ...args: readonly Expr[]): Expr;
  memberCall(name: string, target: Expr, ...args: readonly Expr[]): Expr;
  list(...elements: readonly Expr[]): Expr;
  emptyMap(): Expr;
  presenceTest(operand: Expr, field: string): Expr;
  comprehension(parts: Omit<ComprehensionNode, 'kind'>): Expr;
  copy(expr: Expr): Expr;
}

/** A node factory for the expansion of a macro call. */
export function macroBuilder(factory: ExprFactory, callId: number): MacroBuilder {
  const offset = factory.offsets.get(callId) ?? -1;
  const make = (node: ExprNode) => newExpr(factory, offset, node);
  return {
    factory,
    offset,
    literal: value => make({ kind: 'literal', value }),
    ident: name => make({ kind: 'ident', name }),
    accumulator: () => make({ kind: 'ident', name: accumulatorName }),
    call: (name, ...args) => make({ kind: 'call', function: name, target: undefined, args }),
    memberCall: (name, target, ...args) => make({ kind: 'call', function: name, target, args }),
    list: (...elements) => make({ kind: 'list', elements, optionalIndices: [] }),
    emptyMap: () => make({ kind: 'map', entries: [] }),
    presenceTest: (operand, field) => make({ kind: 'select', operand, field, testOnly: true }),
    comprehension: parts => make({ kind: 'comprehension', ...parts }),
    copy: expr => copied(factory, expr, offset),
  };
}

function copied(factory: ExprFactory, expr: Expr, entryOffset: number): Expr {
  const copy = (inner: Expr) => copied(factory, inner, entryOffset);
  const id = newId(factory, factory.offsets.get(expr.id) ?? -1);
  const { node } = expr;
  switch (node.kind) {
    case 'select':
      return { id, node: { ...node, operand: copy(node.operand) } };
    case 'call':
      return { id, node: { ...node, args: node.args.map(copy), target: node.target === undefined ? undefined : copy(node.target) } };
    case 'list':
      return { id, node: { ...node, elements: node.elements.map(copy) } };
    case 'map': {
      const copyEntry = (entry: MapEntry) => ({
        ...entry,
        id: newId(factory, entryOffset),
        key: copy(entry.key),
        value: copy(entry.value),
      });
      return { id, node: { ...node, entries: node.entries.map(copyEntry) } };
    }
    case 'struct':
      return { id, node: { ...node, fields: node.fields.map(f => ({ ...f, id: newId(factory, entryOffset), value: copy(f.value) })) } };
    case 'comprehension':
      return { id, node: copiedComprehension(node, copy) };
    default:
      return { id, node };
  }
}

function copiedComprehension(node: ComprehensionNode, copy: (expr: Expr) => Expr): ComprehensionNode {
  return {
    ...node,
    iterRange: copy(node.iterRange),
    accuInit: copy(node.accuInit),
    loopCondition: copy(node.loopCondition),
    loopStep: copy(node.loopStep),
    result: copy(node.result),
  };
}
