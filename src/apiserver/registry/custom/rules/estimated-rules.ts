import { type DearestPart, dearestPart } from '../../../../cel/estimates/dearest-part.js';
import { declaredSizes } from '../../../../cel/estimates/declared-sizes.js';
import { estimateCost } from '../../../../cel/estimates/estimate-cost.js';
import { type DeclaredType, maxRequestSize } from '../../../../cel/schema/declared-type.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import type { StructuralSchema } from '../../../objects/structural-schema.js';
import { type Compiled, type CompiledRule, compiledRulesOf, compileRules } from './compiled-rule.js';

/** Rule with the max cost of one evaluation. */
export interface EstimatedRule extends CompiledRule {
  /** Zero when it does not compile. */
  readonly cost: bigint;
  /** Undefined without a messageExpression that compiles. */
  readonly messageCost: bigint | undefined;
  /** Return the parts that drive the costs; undefined if no part of the expression does. */
  readonly dearest: { readonly rule: () => DearestPart | undefined; readonly messageExpression: () => DearestPart | undefined };
  /** Max number of values of the rule's type in one request, with a comma after each. */
  readonly mostInRequest: bigint;
}

/**
 * Returns the rules of a schema, excluding nested ones, for values of its type. Throws AbortedConnection where the API server panics.
 * Source: apiextensions-apiserver schema/cel/compilation.go Compile.
 */
export function estimatedRulesOf(server: ApiServer, schema: StructuralSchema, declared: DeclaredType): EstimatedRule[] {
  const sizes = declaredSizes(declared);
  const costOf = (compiled: Compiled): bigint | undefined =>
    compiled !== undefined && 'program' in compiled ? estimateCost(compiled.program.checked, sizes) : undefined;
  const dearestOf = (compiled: Compiled): DearestPart | undefined =>
    compiled !== undefined && 'program' in compiled ? dearestPart(compiled.program.checked, sizes) : undefined;
  const mostInRequest = BigInt(Math.floor(maxRequestSize / (declared.minSerializedSize + 1)));
  return compileRules(server, compiledRulesOf(schema), declared, { schema, use: 'new' }).map(rule => ({
    ...rule,
    cost: costOf(rule.compiled) ?? 0n,
    messageCost: costOf(rule.message),
    dearest: { rule: () => dearestOf(rule.compiled), messageExpression: () => dearestOf(rule.message) },
    mostInRequest,
  }));
}
