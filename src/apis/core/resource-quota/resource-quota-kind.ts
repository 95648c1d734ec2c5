import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules, UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { ownMember } from '../../../go/own-members.js';
import { compareQuantities } from '../../../kubernetes/quantity.js';
import { checkAnyResourceName, checkResourceAmount, shownName, standardQuotaNames } from '../pod/validation/container-resources.js';
import { checkHasVersion } from '../required-resource-version.js';

/** Source: core/validation ValidateResourceQuota. */
const resourceQuotaRules: KindRules = {
  create: quota => checkQuota(quota.child('spec'), []),
  update: ['changes', (quota, old) => checkQuota(quota.child('spec'), [old.child('spec', 'hard')]), keepScopes],
};

/**
 * Validates the resource names of a quota, and the amounts; since v1.38 not those that one of the stored lists has. Source: core/validation
 * validateResourceQuotaResourceList.
 */
function checkQuotaAmounts(amounts: FieldPath, stored: readonly FieldPath[]): void {
  for (const [name, field] of amounts.entries()) {
    checkAnyResourceName(field, name);
    if (!name.includes('/') && !standardQuotaNames.has(name) && !/^(requests\.)?hugepages-/.test(name))
      field.invalid(shownName(name), 'must be a standard resource for quota');
    if (!isStoredAmount(field, name, stored)) checkResourceAmount(field, name, amounts);
  }
}

/** Source: core/validation isStoredQuantity. */
function isStoredAmount(amount: FieldPath, name: string, stored: readonly FieldPath[]): boolean {
  if (!amount.server.since('v1.38')) return false;
  return stored.some(list => list.members().has(name) && compareQuantities(list.key(name).text(), amount.text()) === 0);
}

function checkQuota(spec: FieldPath, stored: readonly FieldPath[]): void {
  checkQuotaAmounts(spec.child('hard'), stored);
  const scopes = spec.child('scopes');
  const names = [...spec.child('hard').members().keys()].sort();
  checkScopes(scopes, names);
  const selector = spec.child('scopeSelector');
  for (const expression of selector.items('matchExpressions')) {
    const shown = expression.shownAt('spec.scopeSelector.matchExpressions');
    checkScopeName(shown.child('scopeName'));
    for (const name of names)
      if (!isScoped(name, expression.text('scopeName')))
        shown.invalid(internalValue(spec.server, 'core/v1.ScopeSelector', selector.value), 'unsupported scope applied to resource');
    checkScopeExpression(shown);
  }
}

const scopeNames = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
];

const compute = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];

/** Standard resources that a scope applies to. Source: core/helper IsResourceQuotaScopeValidForResource. */
const scopedNames: Readonly<Record<string, readonly string[]>> = {
  Terminating: ['pods', ...compute],
  NotTerminating: ['pods', ...compute],
  NotBestEffort: ['pods', ...compute],
  PriorityClass: ['pods', ...compute],
  CrossNamespacePodAffinity: ['pods', ...compute],
  BestEffort: ['pods'],
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
};

function isScoped(name: string, scope: string): boolean {
  const isStandard = standardQuotaNames.has(name) || /^(requests\.)?hugepages-/.test(name);
  return !isStandard || (ownMember(scopedNames, scope)?.includes(name) ?? true);
}

function checkScopes(scopes: FieldPath, names: readonly string[]): void {
  for (const scope of scopes.texts()) {
    if (!scopeNames.includes(scope)) scopes.invalid('unsupported scope');
    for (const name of names) if (!isScoped(name, scope)) scopes.invalid('unsupported scope applied to resource');
  }
  for (const [a, b] of [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ] as const)
    if (scopes.texts().includes(a) && scopes.texts().includes(b)) scopes.invalid('conflicting scopes');
}

function checkScopeName(name: FieldPath): void {
  if (!scopeNames.includes(name.text())) name.invalidName('unsupported scope');
}

function checkScopeExpression(expression: FieldPath): void {
  const [name, operator, values] = [expression.child('scopeName'), expression.child('operator'), expression.child('values')];
  if (
    ['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort', 'CrossNamespacePodAffinity'].includes(name.text()) &&
    operator.text() !== 'Exists'
  )
    operator.invalidName(
      `must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity`,
    );
  if (['In', 'NotIn'].includes(operator.text())) {
    if (values.length() === 0) values.required("must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
  } else if (['Exists', 'DoesNotExist'].includes(operator.text())) {
    if (values.length() > 0) values.invalid("must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
  } else operator.invalidName('not a valid selector operator');
}

function keepScopes(quota: FieldPath, old: FieldPath): void {
  const [now, before] = [quota, old].map(field => new Set(field.child('spec', 'scopes').texts()));
  const same = now?.size === before?.size && [...(now ?? [])].every(scope => before?.has(scope));
  const scopes = quota.child('spec', 'scopes');
  if (!same) scopes.invalidList('field is immutable');
}

/** Source: core/validation ValidateResourceQuotaStatusUpdate. */
const resourceQuotaStatus: readonly UpdateStep[] = [
  'changes',
  checkHasVersion,
  (quota, old) => {
    checkQuotaAmounts(quota.child('status', 'hard'), [old.child('status', 'hard'), old.child('spec', 'hard')]);
    checkQuotaAmounts(quota.child('status', 'used'), [old.child('status', 'used')]);
  },
];

/** ResourceQuota. */
export const resourceQuotaKind: KindDefinition = {
  validation: resourceQuotaRules,
  subresources: { status: { update: resourceQuotaStatus } },
  resetsStatus: true,
  deletion: { returnsObject: true },
};
