import { listAt, stringAt, toValue, type ValueMap } from '../../go/value.js';

/** Scope of a quota: only objects in it count. */
export interface QuotaScope {
  readonly name: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Returns all scopes of a quota; plain ones are converted to `Exists`. Source: apiserver quota/v1/generic getScopeSelectorsFromQuota. */
export function scopesOf(quota: ValueMap): QuotaScope[] {
  const plain = listAt(quota, 'spec', 'scopes').map(name => toValue({ scopeName: name, operator: 'Exists' }));
  return [...plain, ...listAt(quota, 'spec', 'scopeSelector', 'matchExpressions')].map(selector => ({
    name: stringAt(selector, 'scopeName'),
    operator: stringAt(selector, 'operator'),
    values: listAt(selector, 'values').map(String),
  }));
}

/** Reports whether a value, or none, matches the scope's expression. */
export function meetsScope({ operator, values }: QuotaScope, value: string | undefined): boolean {
  if (operator === 'In') return value !== undefined && values.includes(value);
  if (operator === 'NotIn') return value === undefined || !values.includes(value);
  return (operator === 'Exists') === (value !== undefined);
}
