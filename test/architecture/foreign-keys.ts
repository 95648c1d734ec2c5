import path from 'node:path';
import ts from 'typescript';

/** Objects of the runtime, whose members we name. */
const surroundings = /(?:^|\.)env$/;

/**
 * Returns where a file of `folders` reads or writes a member of an object by a key that is any text: `constructor` and `__proto__` are members of every object. `ownMember` and
 * `setOwnMember` take such keys, and Maps.
 */
export function foreignKeys(root: string, folders: readonly string[]): string[] {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const files = fileNames.filter(file => folders.some(folder => file.startsWith(`${path.join(root, folder)}/`)));
  const program = ts.createProgram(files, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const found: string[] = [];
  for (const file of files) {
    const source = program.getSourceFile(file);
    if (source === undefined || file.endsWith('/go/own-members.ts')) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isElementAccessExpression(node) && !surroundings.test(node.expression.getText()) && isForeign(node, checker)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${path.relative(root, file)}:${line + 1}: ${node.getText()}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function isForeign({ expression, argumentExpression }: ts.ElementAccessExpression, checker: ts.TypeChecker): boolean {
  const object = checker.getApparentType(checker.getTypeAtLocation(expression));
  const hasAnyKey = checker.getIndexInfoOfType(object, ts.IndexKind.String) !== undefined;
  return hasAnyKey && !checker.isArrayLikeType(object) && isAnyText(checker.getTypeAtLocation(argumentExpression));
}

function isAnyText(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some(isAnyText);
  return (type.flags & ts.TypeFlags.StringLike) !== 0 && (type.flags & ts.TypeFlags.StringLiteral) === 0;
}
