import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { internalValue } from '../../../apiserver/registry/validation/go-value.js';
import type { KindRules, UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import {
  addInvalid,
  addInvalidName,
  addRequired,
  at,
  entriesAt,
  itemsAt,
  lengthOf,
  mapOf,
  textAt,
  textOf,
  textsOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkAnyResourceName, checkResourceAmount, shownName, standardQuotaNames } from '../pod/validation/container-resources.js';
import { checkHasVersion } from '../required-resource-version.js';

/** Source: core/validation ValidateResourceQuota. */
const resourceQuotaRules: KindRules = {
  create: quota => checkQuota(at(quota, 'spec')),
  update: ['changes', quota => checkQuota(at(quota, 'spec')), keepScopes],
};

/** Validates the resource names and amounts of a quota. Source: core/validation ValidateResourceQuotaResourceName. */
function checkQuotaAmounts(amounts: Place): void {
  for (const [name, place] of entriesAt(amounts)) {
    checkAnyResourceName(place, name);
    if (!name.includes('/') && !standardQuotaNames.has(name) && !/^(requests\.)?hugepages-/.test(name))
      addInvalid(place, 'must be a standard resource for quota', shownName(name));
    checkResourceAmount(place, name, amounts);
  }
}

function checkQuota(spec: Place): void {
  checkQuotaAmounts(at(spec, 'hard'));
  const scopes = at(spec, 'scopes');
  const names = [...mapOf(at(spec, 'hard')).keys()].sort();
  checkScopes(scopes, names);
  const selector = at(spec, 'scopeSelector');
  for (const expression of itemsAt(selector, 'matchExpressions')) {
    const shown = { ...expression, path: 'spec.scopeSelector.matchExpressions' };
    checkScopeName(at(shown, 'scopeName'));
    for (const name of names)
      if (!isScoped(name, textAt(expression, 'scopeName')))
        addInvalid(shown, 'unsupported scope applied to resource', internalValue(spec.server, 'core/v1.ScopeSelector', selector.value));
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
  return !isStandard || (scopedNames[scope]?.includes(name) ?? true);
}

function checkScopes(scopes: Place, names: readonly string[]): void {
  for (const scope of textsOf(scopes)) {
    if (!scopeNames.includes(scope)) addInvalid(scopes, 'unsupported scope');
    for (const name of names) if (!isScoped(name, scope)) addInvalid(scopes, 'unsupported scope applied to resource');
  }
  for (const [a, b] of [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ] as const)
    if (textsOf(scopes).includes(a) && textsOf(scopes).includes(b)) addInvalid(scopes, 'conflicting scopes');
}

function checkScopeName(name: Place): void {
  if (!scopeNames.includes(textOf(name))) addInvalidName(name, 'unsupported scope');
}

function checkScopeExpression(expression: Place): void {
  const [name, operator, values] = [at(expression, 'scopeName'), at(expression, 'operator'), at(expression, 'values')];
  if (
    ['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort', 'CrossNamespacePodAffinity'].includes(textOf(name)) &&
    textOf(operator) !== 'Exists'
  )
    addInvalidName(
      operator,
      `must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity`,
    );
  if (['In', 'NotIn'].includes(textOf(operator))) {
    if (lengthOf(values) === 0) addRequired(values, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
  } else if (['Exists', 'DoesNotExist'].includes(textOf(operator))) {
    if (lengthOf(values) > 0) addInvalid(values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
  } else addInvalidName(operator, 'not a valid selector operator');
}

function keepScopes(quota: Place, old: Place): void {
  const [now, before] = [quota, old].map(place => new Set(textsOf(at(place, 'spec', 'scopes'))));
  const same = now?.size === before?.size && [...(now ?? [])].every(scope => before?.has(scope));
  if (!same)
    addInvalid(at(quota, 'spec', 'scopes'), 'field is immutable', at(quota, 'spec', 'scopes').value === undefined ? null : undefined);
}

/** Source: core/validation ValidateResourceQuotaStatusUpdate. */
const resourceQuotaStatus: readonly UpdateStep[] = [
  'changes',
  checkHasVersion,
  quota => {
    checkQuotaAmounts(at(quota, 'status', 'hard'));
    checkQuotaAmounts(at(quota, 'status', 'used'));
  },
];

/** ResourceQuota. */
export const resourceQuotaKind: KindDefinition = {
  validation: resourceQuotaRules,
  subresources: { status: { update: resourceQuotaStatus } },
  resetsStatus: true,
  deletion: { returnsObject: true },
};
