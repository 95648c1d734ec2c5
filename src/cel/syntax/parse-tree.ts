import type { RuleName } from './grammar.js';
import type { CelToken } from './tokens.js';

/** A matched rule. Parts may be missing after syntax errors. */
export interface TreeNode {
  readonly rule: RuleName;
  /** Number of the rule's alternative, from 1; 0 before one is chosen. */
  alternative: number;
  readonly start: CelToken;
  readonly tokens: Map<string, CelToken[]>;
  readonly nodes: Map<string, TreeNode[]>;
}

/** An empty node. */
export function treeNode(rule: RuleName, start: CelToken): TreeNode {
  return { rule, alternative: 0, start, tokens: new Map(), nodes: new Map() };
}

/** Adds a token under a label. */
export function addToken(node: TreeNode, label: string, token: CelToken): void {
  const list = node.tokens.get(label);
  if (list === undefined) node.tokens.set(label, [token]);
  else list.push(token);
}

/** Adds a child under a label. */
export function addNode(node: TreeNode, label: string, part: TreeNode): void {
  const list = node.nodes.get(label);
  if (list === undefined) node.nodes.set(label, [part]);
  else list.push(part);
}

/** The token under a label. */
export function tokenOf(node: TreeNode, label: string): CelToken | undefined {
  return node.tokens.get(label)?.[0];
}

/** The tokens under a label. */
export function tokensOfTree(node: TreeNode, label: string): readonly CelToken[] {
  return node.tokens.get(label) ?? [];
}

/** The child under a label. */
export function nodeOf(node: TreeNode | undefined, label: string): TreeNode | undefined {
  return node?.nodes.get(label)?.[0];
}

/** The children under a label. */
export function nodesOfTree(node: TreeNode | undefined, label: string): readonly TreeNode[] {
  return node?.nodes.get(label) ?? [];
}
