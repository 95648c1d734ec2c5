import { type Clause, type FormatFailure, parseFormat } from '../library/format-parser.js';
import { unsuitable } from '../library/string-format.js';
import type { CallNode, Expr } from '../syntax/ast.js';
import type { Type, TypeKind } from '../values/type.js';
import { invalidAt, type Validation } from './validation.js';

/** Checks the clauses of `'...'.format([...])` against literal arguments. Source: cel-go ext/formatting.go. */
export function checkFormat(v: Validation, id: number, { target, args }: CallNode): void {
  const [list, ...others] = args;
  if (target?.node.kind !== 'literal' || typeof target.node.value !== 'string') return;
  if (list?.node.kind !== 'list' || others.length > 0) return;
  const { elements } = list.node;
  let used = 0;
  const format = (clause: Clause, index: number): string | FormatFailure => {
    used += 1;
    const element = elements[index];
    return element === undefined ? '' : (misfit(v, clause, element) ?? '');
  };
  const result = parseFormat(target.node.value, { count: elements.length, checkedEarly: false, format });
  if (typeof result !== 'string') {
    invalidAt(v, result.id ?? id, result.error);
    return;
  }
  if (elements.length <= used) return;
  invalidAt(v, id, `too many arguments supplied to string.format (expected ${used}, got ${elements.length})`);
}

const integers: readonly TypeKind[] = ['int', 'uint'];
const doubles: readonly TypeKind[] = ['double', 'string'];
const hexadecimals: readonly TypeKind[] = [...integers, 'string', 'bytes'];
const printable: readonly TypeKind[] = [
  'list',
  'map',
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'timestamp',
  'bytes',
  'duration',
  'type',
  'null',
];

const suitable: Readonly<Record<Clause['letter'], readonly TypeKind[]>> = {
  s: printable,
  d: integers,
  o: integers,
  b: [...integers, 'bool'],
  x: hexadecimals,
  X: hexadecimals,
  f: doubles,
  e: doubles,
};

function misfit({ types }: Validation, { letter }: Clause, element: Expr): FormatFailure | undefined {
  const fits = (type: Type) => type.kind === 'dyn' || suitable[letter].includes(type.kind);
  const wrong = partsOf(letter, element).find(({ id }) => {
    const type = types.get(id);
    return type !== undefined && !fits(type);
  });
  return wrong === undefined ? undefined : { error: unsuitable(letter, types.get(wrong.id)?.name ?? ''), id: wrong.id };
}

/** The literal and, for `%s`, the elements of list and map literals. */
function partsOf(letter: Clause['letter'], element: Expr): readonly Expr[] {
  const { node } = element;
  const inside = (parts: readonly Expr[]) => [element, ...parts.flatMap(part => partsOf(letter, part))];
  if (letter === 's' && node.kind === 'list') return inside(node.elements);
  if (letter === 's' && node.kind === 'map') return inside(node.entries.flatMap(entry => [entry.key, entry.value]));
  return [element];
}
