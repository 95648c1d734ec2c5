import type { CelValue } from '../values/value.js';

/** A node of the syntax tree after macro expansion. The checker replaces nodes when it resolves names. */
export interface Expr {
  readonly id: number;
  node: ExprNode;
}

export type ExprNode =
  | { readonly kind: 'unspecified' }
  | { readonly kind: 'literal'; readonly value: CelValue }
  | { readonly kind: 'ident'; readonly name: string }
  | SelectNode
  | CallNode
  | ListNode
  | MapNode
  | StructNode
  | ComprehensionNode;

export interface SelectNode {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  /** `has(operand.field)` */
  readonly testOnly: boolean;
}

export interface CallNode {
  readonly kind: 'call';
  readonly function: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListNode {
  readonly kind: 'list';
  readonly elements: readonly Expr[];
  /** `[?x]` */
  readonly optionalIndices: readonly number[];
}

export interface MapNode {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

export interface MapEntry {
  readonly id: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface StructNode {
  readonly kind: 'struct';
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

export interface StructField {
  readonly id: number;
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

/** The expansion of macros over lists and maps. */
export interface ComprehensionNode {
  readonly kind: 'comprehension';
  readonly iterRange: Expr;
  readonly iterVar: string;
  /** Undefined with one variable. */
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly accuInit: Expr;
  readonly loopCondition: Expr;
  readonly loopStep: Expr;
  readonly result: Expr;
}

/** Children of a node, in cel-go's visiting order. */
export function childrenOf({ node }: Expr): readonly Expr[] {
  switch (node.kind) {
    case 'select':
      return [node.operand];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'list':
      return node.elements;
    case 'map':
      return node.entries.flatMap(entry => [entry.key, entry.value]);
    case 'struct':
      return node.fields.map(field => field.value);
    case 'comprehension':
      return [node.iterRange, node.accuInit, node.loopCondition, node.loopStep, node.result];
    default:
      return [];
  }
}
