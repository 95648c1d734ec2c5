import { binary, type FunctionDeclaration } from '../check/declarations.js';
import { operators } from '../syntax/operators.js';
import type { CelValue } from '../values/value.js';
import { boundedQuantityFunctions } from './quantity.js';

/**
 * Returns functions of cel-go 0.29 as the API server declares them since v1.38, with cel-go 0.33: a number that is not one is neither less
 * nor greater than another, and quantities have at most 29 digits. Source: cel-go common/stdlib/standard.go, apimachinery api/resource.
 */
export function inCelGo33(functions: readonly FunctionDeclaration[]): readonly FunctionDeclaration[] {
  return functions.map(declaration => {
    const bounded = boundedQuantityFunctions.find(({ name }) => name === declaration.name);
    if (bounded !== undefined) return bounded;
    return comparisons.has(declaration.name) ? withoutNaN(declaration) : declaration;
  });
}

const comparisons: ReadonlySet<string> = new Set([operators.less, operators.lessEquals, operators.greater, operators.greaterEquals]);

function withoutNaN(declaration: FunctionDeclaration): FunctionDeclaration {
  const { singleton } = declaration;
  if (singleton?.implementation.arity !== 'binary') return declaration;
  const { call } = singleton.implementation;
  const implementation = binary((a, b) => (isNotANumber(a) || isNotANumber(b) ? false : call(a, b)));
  return { ...declaration, singleton: { ...singleton, implementation } };
}

function isNotANumber(value: CelValue): boolean {
  return Number.isNaN(value);
}
