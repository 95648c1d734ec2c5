import { type FunctionLikeDeclaration, type Node, SyntaxKind } from 'typescript-7/unstable/ast';
import {
  isArrowFunction,
  isClassDeclaration,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isInterfaceDeclaration,
  isMethodDeclaration,
  isTypeAliasDeclaration,
  isVariableDeclaration,
  isVariableStatement,
} from 'typescript-7/unstable/ast/is';
import type { Sources } from './sources.js';

/** A name that a file declares. */
export interface Declaration {
  readonly file: string;
  readonly name: string;
}

export interface Declarations {
  /** Functions that return a promise or an asynchronous iterator. */
  readonly effects: readonly Declaration[];
  /** Everything that a file declares at its top. */
  readonly top: readonly Declaration[];
  /** The files that export a name, by name. */
  readonly exporters: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Returns what sources declare: functions, methods and constants, not members of object literals. */
export function declarationsOf({ files }: Pick<Sources, 'files'>): Declarations {
  const effects: Declaration[] = [];
  const top: Declaration[] = [];
  const exporters = new Map<string, Set<string>>();
  for (const [file, source] of files) {
    const visit = (node: Node): void => {
      const name = nameOfEffect(node);
      if (name !== undefined) effects.push({ file, name });
      node.forEachChild(visit);
    };
    visit(source);
    for (const statement of source.statements) {
      for (const name of namesOf(statement)) {
        top.push({ file, name });
        if (hasModifier(statement, SyntaxKind.ExportKeyword)) exporters.set(name, (exporters.get(name) ?? new Set()).add(file));
      }
    }
  }
  return { effects, top, exporters };
}

function nameOfEffect(node: Node): string | undefined {
  if (isFunctionDeclaration(node) || isMethodDeclaration(node))
    return node.body !== undefined && isAsynchronous(node) ? node.name?.getText().replace(/^#/, '') : undefined;
  if (!isVariableDeclaration(node) || !isIdentifier(node.name) || node.initializer === undefined) return undefined;
  const isFunction = isArrowFunction(node.initializer) || isFunctionExpression(node.initializer);
  return isFunction && isAsynchronous(node.initializer) ? node.name.text : undefined;
}

function isAsynchronous(node: FunctionLikeDeclaration): boolean {
  const type = 'type' in node ? node.type?.getText() : undefined;
  return hasModifier(node, SyntaxKind.AsyncKeyword) || /^(?:Promise|Async(?:Generator|Iterable|Iterator))\b/.test(type ?? '');
}

function hasModifier(node: Node, modifier: SyntaxKind): boolean {
  const { modifiers = [] } = node as { readonly modifiers?: Iterable<Node> };
  return [...modifiers].some(({ kind }) => kind === modifier);
}

function namesOf(statement: Node): string[] {
  if (isVariableStatement(statement))
    return [...statement.declarationList.declarations].flatMap(({ name }) => (isIdentifier(name) ? [name.text] : []));
  const isNamed =
    isFunctionDeclaration(statement) ||
    isClassDeclaration(statement) ||
    isInterfaceDeclaration(statement) ||
    isTypeAliasDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}
