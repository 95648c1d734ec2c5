import type { ElementAccessExpression, Node } from 'typescript-7/unstable/ast';
import { isElementAccessExpression } from 'typescript-7/unstable/ast/is';
import { type Checker, type Type, TypeFlags } from 'typescript-7/unstable/sync';
import type { Sources } from './sources.js';

/** Objects of the runtime, whose members we name. */
const surroundings = /(?:^|\.)env$/;

interface Access {
  readonly place: string;
  readonly node: ElementAccessExpression;
}

/**
 * Returns where a file reads or writes a member of an object by a key that is any text: `constructor` and `__proto__` are members of every object. `ownMember` and
 * `setOwnMember` take such keys, and Maps.
 */
export function foreignKeys({ files, checker }: Pick<Sources, 'files' | 'checker'>): string[] {
  const accesses: Access[] = [];
  for (const [file, source] of files) {
    if (file.endsWith('/go/own-members.ts')) continue;
    const visit = (node: Node): void => {
      if (isElementAccessExpression(node) && !surroundings.test(node.expression.getText())) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        accesses.push({ place: `${file}:${line + 1}`, node });
      }
      node.forEachChild(visit);
    };
    visit(source);
  }
  // All at once: each question to the compiler takes a message.
  const keys = checker.getTypeAtLocation(accesses.map(({ node }) => node.argumentExpression));
  return accesses
    .filter(({ node }, i) => isAnyText(keys[i]) && hasAnyKey(node.expression, checker))
    .map(({ place, node }) => `${place}: ${node.getText()}`);
}

function hasAnyKey(expression: Node, checker: Checker): boolean {
  const type = checker.getTypeAtLocation(expression);
  const object = type && checker.getApparentType(type);
  if (object === undefined || checker.isArrayLikeType(object)) return false;
  return checker.getIndexInfosOfType(object).some(({ keyType }) => (keyType.flags & TypeFlags.String) !== 0);
}

function isAnyText(type: Type | undefined): boolean {
  if (type === undefined) return false;
  if (type.isUnionType()) return type.getTypes().some(isAnyText);
  return (type.flags & TypeFlags.StringLike) !== 0 && (type.flags & TypeFlags.StringLiteral) === 0;
}
