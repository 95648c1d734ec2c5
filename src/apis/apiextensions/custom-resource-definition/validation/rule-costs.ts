import { cappedSum } from '../../../../cel/estimates/uint64.js';
import { fixedPoint } from '../../../../go/exact-decimal.js';
import { type FieldError, forbiddenField } from '../../../../kubernetes/field-error.js';

/** Total costs of the rules in one schema. Source: apiextensions-apiserver cel_validation.go TotalCost. */
export interface RuleCosts {
  total: bigint;
  /** Most expensive notable expressions, in descending order. */
  readonly dearest: ExpressionCost[];
}

interface ExpressionCost {
  readonly field: string;
  readonly cost: bigint;
}

/** Max cost of one expression, for all values it is evaluated for. Source: validation.go StaticEstimatedCostLimit. */
export const expressionCostLimit = 10_000_000n;

/** Max cost of all rules in a schema. Source: validation.go StaticEstimatedCRDCostLimit. */
export const schemaCostLimit = 100_000_000n;

const mostNamed = 4;

export function noCosts(): RuleCosts {
  return { total: 0n, dearest: [] };
}

/** Adds an expression. Only those above a hundredth of the limit are kept. Source: cel_validation.go ObserveExpressionCost. */
export function addCost(costs: RuleCosts, field: string, cost: bigint): void {
  costs.total = cappedSum(costs.total, cost);
  if (cost < schemaCostLimit / 100n) return;
  costs.dearest.push({ field, cost });
  costs.dearest.sort((a, b) => Number(b.cost > a.cost) - Number(a.cost > b.cost));
  costs.dearest.splice(mostNamed);
}

/** Returns the error of a schema at `path` whose rules may exceed the total limit. */
export function totalCostErrors({ total, dearest }: RuleCosts, path: string): FieldError[] {
  if (total <= schemaCostLimit) return [];
  const message = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  return [...dearest.map(({ field }) => forbiddenField(field, message)), tooCostly(path, { name, cost: total, limit: schemaCostLimit })];
}

/** Returns the error of an expression that may exceed the limit. */
export function expressionCostErrors(field: string, name: string, cost: bigint): FieldError[] {
  return cost > expressionCostLimit ? [tooCostly(field, { name, cost, limit: expressionCostLimit })] : [];
}

interface Excess {
  /** Name of the expensive expression. */
  readonly name: string;
  readonly cost: bigint;
  readonly limit: bigint;
}

/** Source: validation.go getCostErrorMessage. */
function tooCostly(field: string, { name, cost, limit }: Excess): FieldError {
  const hint = 'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return forbiddenField(field, `${name} exceeds budget by factor of ${factorText(Number(cost) / Number(limit))} (${hint})`);
}

/** Formats a factor: six decimals when close to one, `more than 100x` above a hundred. */
function factorText(factor: number): string {
  if (factor > 100) return 'more than 100x';
  const { whole, fraction } = fixedPoint(factor, factor < 1.5 ? 6 : 1);
  return `${whole}.${fraction}x`;
}
