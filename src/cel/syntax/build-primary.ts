import type { Expr, ExprNode, MapEntry, StructField } from './ast.js';
import { type AstBuilder, macroKey, reportAt, unspecified } from './ast-builder.js';
import { locationOf, macroBuilder, newExpr, newId } from './expr-factory.js';
import { literalValue } from './literals.js';
import { nodeOf, nodesOfTree, type TreeNode, tokenOf, tokensOfTree } from './parse-tree.js';
import type { CelToken } from './tokens.js';

const reservedWords: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(' '),
);

/** Builds names, calls, and literals of lists, maps and messages. Source: cel-go parser/parser.go. */
export function primary(b: AstBuilder, node: TreeNode): Expr {
  switch (node.alternative) {
    case 1:
    case 2:
      return named(b, node);
    case 4:
      return list(b, node);
    case 5: {
      const id = newId(b.factory, tokenOf(node, 'op')?.offset ?? -1);
      return { id, node: { kind: 'map', entries: mapEntries(b, nodeOf(node, 'entries')) } };
    }
    case 6:
      return message(b, node);
    default:
      return unspecified(b);
  }
}

function named(b: AstBuilder, node: TreeNode): Expr {
  const token = tokenOf(node, 'id');
  if (token === undefined) return newExpr(b.factory, node.start.offset, { kind: 'unspecified' });
  if (reservedWords.has(token.text)) return reportAt(b, node.start.offset, `reserved identifier: ${token.text}`);
  const name = tokenOf(node, 'leadingDot') === undefined ? token.text : `.${token.text}`;
  if (node.alternative === 1) return newExpr(b.factory, token.offset, { kind: 'ident', name });
  const id = newId(b.factory, tokenOf(node, 'op')?.offset ?? -1);
  return callOrMacro(b, id, { name, target: undefined, args: argumentsOf(b, node) });
}

/** The arguments in parentheses. */
export function argumentsOf(b: AstBuilder, node: TreeNode): readonly Expr[] {
  return nodesOfTree(nodeOf(node, 'args'), 'e').map(argument => b.build(b, argument));
}

interface Call {
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

/** A call, or its macro expansion. */
export function callOrMacro(b: AstBuilder, id: number, { name, target, args }: Call): Expr {
  const call: ExprNode = { kind: 'call', function: name, target, args };
  const macro = b.macros.get(macroKey(name, args.length, target !== undefined));
  if (macro === undefined) return { id, node: call };
  const expansion = macro.expand(macroBuilder(b.factory, id), target ?? { id, node: call }, args);
  if (expansion === undefined) return { id, node: call };
  if (!('error' in expansion)) return expansion;
  b.report(locationOf(b.factory, expansion.at.id), expansion.error);
  return newExpr(b.factory, b.factory.offsets.get(expansion.at.id) ?? -1, { kind: 'unspecified' });
}

function list(b: AstBuilder, node: TreeNode): Expr {
  const id = newId(b.factory, tokenOf(node, 'op')?.offset ?? -1);
  const items = nodesOfTree(nodeOf(node, 'elements'), 'elements');
  const elements = items.map(item => b.build(b, nodeOf(item, 'e')));
  const optionalIndices = items.flatMap((item, i) => (tokenOf(item, 'opt') === undefined ? [] : [i]));
  return { id, node: { kind: 'list', elements, optionalIndices } };
}

function message(b: AstBuilder, node: TreeNode): Expr {
  const name = tokensOfTree(node, 'ids')
    .map(token => token.text)
    .join('.');
  const typeName = tokenOf(node, 'leadingDot') === undefined ? name : `.${name}`;
  const id = newId(b.factory, tokenOf(node, 'op')?.offset ?? -1);
  return { id, node: { kind: 'struct', typeName, fields: structFields(b, nodeOf(node, 'entries')) } };
}

/** Builds entries, or none if a part of one is missing; errors in the entries before it are still reported. */
function completeEntries<T>(
  count: number,
  node: TreeNode,
  build: (parts: { readonly key: TreeNode; readonly value: TreeNode; readonly colon: CelToken }) => T | undefined,
): readonly T[] {
  const entries: T[] = [];
  for (let i = 0; i < count; i += 1) {
    const key = nodesOfTree(node, 'keys')[i];
    const value = nodesOfTree(node, 'values')[i];
    const colon = tokensOfTree(node, 'colons')[i];
    if (key === undefined || value === undefined || colon === undefined) return [];
    const entry = build({ key, value, colon });
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

function mapEntries(b: AstBuilder, node: TreeNode | undefined): readonly MapEntry[] {
  if (node === undefined) return [];
  return completeEntries(tokensOfTree(node, 'colons').length, node, ({ key, value, colon }) => ({
    id: newId(b.factory, colon.offset),
    key: b.build(b, nodeOf(key, 'e')),
    value: b.build(b, value),
    optional: tokenOf(key, 'opt') !== undefined,
  }));
}

function structFields(b: AstBuilder, node: TreeNode | undefined): readonly StructField[] {
  if (node === undefined) return [];
  return completeEntries(nodesOfTree(node, 'keys').length, node, ({ key, value, colon }) => {
    const id = newId(b.factory, colon.offset);
    const name = fieldName(b, nodeOf(key, 'id'), node.start);
    if (name === undefined) return undefined;
    return { id, name, value: b.build(b, value), optional: tokenOf(key, 'opt') !== undefined };
  });
}

/**
 * The name of a field. Reports an error and returns undefined for a missing name and for a back-quoted one, where those are not supported.
 */
export function fieldName(b: AstBuilder, identifier: TreeNode | undefined, at: CelToken): string | undefined {
  const token = identifier === undefined ? undefined : tokenOf(identifier, 'id');
  if (token !== undefined && !token.text.startsWith('`')) return token.text;
  if (token !== undefined && b.hasEscapedNames) return token.text.slice(1, -1);
  reportAt(b, at.offset, token === undefined ? 'unsupported ident kind' : "unsupported syntax: '`'");
  return undefined;
}

/** Builds a literal of a number, string, bytes, bool or null. */
export function literal(b: AstBuilder, node: TreeNode): Expr {
  const read = literalValue(node);
  if (read === undefined) return unspecified(b);
  if ('error' in read) return reportAt(b, node.start.offset, read.error);
  return newExpr(b.factory, node.start.offset, { kind: 'literal', value: read.value });
}
