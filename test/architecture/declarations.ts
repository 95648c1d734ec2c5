import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

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

/** Returns what the sources of some folders declare: functions, methods and constants, not members of object literals. */
export function declarationsBelow(root: string, folders: readonly string[]): Declarations {
  const effects: Declaration[] = [];
  const top: Declaration[] = [];
  const exporters = new Map<string, Set<string>>();
  for (const file of folders.flatMap(folder => sourcesIn(root, folder))) {
    const source = ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.ES2022);
    const visit = (node: ts.Node): void => {
      const name = nameOfEffect(node, source);
      if (name !== undefined) effects.push({ file, name });
      ts.forEachChild(node, visit);
    };
    visit(source);
    for (const statement of source.statements) {
      for (const name of namesOf(statement)) {
        top.push({ file, name });
        if (isExported(statement)) exporters.set(name, (exporters.get(name) ?? new Set()).add(file));
      }
    }
  }
  return { effects, top, exporters };
}

function sourcesIn(root: string, folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => path.posix.join(folder, file.replaceAll(path.sep, '/')));
}

function nameOfEffect(node: ts.Node, source: ts.SourceFile): string | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node))
    return node.body !== undefined && isAsynchronous(node, source) ? node.name?.getText(source).replace(/^#/, '') : undefined;
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || node.initializer === undefined) return undefined;
  const isFunction = ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer);
  return isFunction && isAsynchronous(node.initializer, source) ? node.name.text : undefined;
}

function isAsynchronous(node: ts.FunctionLikeDeclaration, source: ts.SourceFile): boolean {
  const isAsync = ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true;
  return isAsync || /^(?:Promise|Async(?:Generator|Iterable|Iterator))\b/.test(node.type?.getText(source) ?? '');
}

function isExported(statement: ts.Statement): boolean {
  return ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}
