/** Function names of the operators. Source: cel-go common/operators. */
export const operators = {
  conditional: '_?_:_',
  logicalAnd: '_&&_',
  logicalOr: '_||_',
  logicalNot: '!_',
  equals: '_==_',
  notEquals: '_!=_',
  less: '_<_',
  lessEquals: '_<=_',
  greater: '_>_',
  greaterEquals: '_>=_',
  add: '_+_',
  subtract: '_-_',
  multiply: '_*_',
  divide: '_/_',
  modulo: '_%_',
  negate: '-_',
  index: '_[_]',
  optIndex: '_[?_]',
  optSelect: '_?._',
  in: '@in',
  notStrictlyFalse: '@not_strictly_false',
} as const;

/** The function of a binary operator; undefined when there is none. */
export function binaryOperator(text: string): string | undefined {
  return binary.get(text);
}

const binary: ReadonlyMap<string, string> = new Map([
  ['+', operators.add],
  ['-', operators.subtract],
  ['*', operators.multiply],
  ['/', operators.divide],
  ['%', operators.modulo],
  ['==', operators.equals],
  ['!=', operators.notEquals],
  ['<', operators.less],
  ['<=', operators.lessEquals],
  ['>', operators.greater],
  ['>=', operators.greaterEquals],
  ['in', operators.in],
]);
