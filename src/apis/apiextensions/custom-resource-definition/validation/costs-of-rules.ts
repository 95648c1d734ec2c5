import { estimatedRulesOf } from '../../../../apiserver/registry/custom/rules/estimated-rules.js';
import type { DearestPart } from '../../../../cel/estimates/dearest-part.js';
import { cappedProduct } from '../../../../cel/estimates/uint64.js';
import { mapAt, type ValueMap } from '../../../../go/value.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { itemsContext, otherMembersContext, propertyContext, type RuleContext, rootContext, typeInfoOf } from './rule-context.js';

/** Max costs of the expressions of one rule, for all values in one object that it is evaluated for. */
export interface CostsOfRule {
  readonly rule: bigint;
  /** A messageExpression is counted once; undefined without one that compiles. */
  readonly messageExpression: bigint | undefined;
  /** Returns the part that drives the cost of one of them, with its evaluations for all values; undefined if no part does. */
  readonly dearestIn: (member: 'rule' | 'messageExpression') => DearestPart | undefined;
}

/**
 * Returns the costs of the rules at a place of the schema of whole objects: `['properties', 'spec', 'items']`. Empty where no type is
 * declared. Source: apiextensions-apiserver validation.go ValidateCustomResourceDefinitionOpenAPISchema, getExpressionCost.
 */
export function costsOfRulesAt(server: ApiServer, schema: ValueMap, steps: readonly string[]): CostsOfRule[] {
  const context = contextAt(rootContext(server, schema), steps);
  const info = context && typeInfoOf(context);
  if (context === undefined || info?.declared === undefined) return [];
  return estimatedRulesOf(server, info.schema, info.declared).map(({ cost, messageCost, mostInRequest, dearest }) => {
    const values = context.cardinality ?? mostInRequest;
    const dearestIn = (member: 'rule' | 'messageExpression'): DearestPart | undefined => {
      const part = dearest[member]();
      return part && member === 'rule' ? { ...part, times: cappedProduct(part.times, values) } : part;
    };
    return { rule: cappedProduct(cost, values), messageExpression: messageCost, dearestIn };
  });
}

function contextAt(root: RuleContext, steps: readonly string[]): RuleContext | undefined {
  let context: RuleContext | undefined = root;
  for (let i = 0; i < steps.length && context !== undefined; i++) {
    const [step, { schema }]: [string | undefined, RuleContext] = [steps[i], context];
    if (step === 'items') context = itemsContext(context, schema.get('items'));
    else if (step === 'additionalProperties') context = otherMembersContext(context, schema.get('additionalProperties'));
    else {
      const name: string = steps[++i] ?? '';
      const property = mapAt(schema, 'properties')?.get(name);
      context = property === undefined ? undefined : propertyContext(context, name, property);
    }
  }
  return context;
}
