import { binary, type FunctionDeclaration, fn, memberDeclaration, variadic } from '../check/declarations.js';
import { textInside } from '../values/found.js';
import { compilePattern, findEvery, findFirst } from '../values/regex.js';
import { INT, listType, STRING } from '../values/type.js';
import { type CelValue, celError, celListOf, noSuchOverload } from '../values/value.js';

/** Regular expression functions. Source: apiserver pkg/cel/library/regex.go. */
export const regexFunctions: readonly FunctionDeclaration[] = [
  fn('find', memberDeclaration('string_find_string', [STRING, STRING], STRING, binary(find))),
  fn(
    'findAll',
    memberDeclaration(
      'string_find_all_string',
      [STRING, STRING],
      listType(STRING),
      binary((text, pattern) => findAll(text, pattern, -1n)),
    ),
    memberDeclaration(
      'string_find_all_string_int',
      [STRING, STRING, INT],
      listType(STRING),
      variadic((text = '', pattern = '', n = 0n) => findAll(text, pattern, n)),
    ),
  ),
];

function find(text: CelValue, pattern: CelValue): CelValue {
  const t = textInside(text);
  const p = textInside(pattern);
  if (t === undefined || p === undefined) return noSuchOverload(t === undefined ? text : pattern);
  const compiled = compilePattern(p);
  return 'error' in compiled ? celError(`Illegal regex: ${compiled.error}`) : findFirst(compiled.regex, t);
}

function findAll(text: CelValue, pattern: CelValue, n: CelValue): CelValue {
  const t = textInside(text);
  const p = textInside(pattern);
  if (t === undefined || p === undefined) return noSuchOverload(t === undefined ? text : pattern);
  if (typeof n !== 'bigint') return noSuchOverload(n);
  const compiled = compilePattern(p);
  return 'error' in compiled
    ? celError(`Illegal regex: ${compiled.error}`)
    : { ...celListOf(findEvery(compiled.regex, t, Number(n))), inside: 'texts' };
}
