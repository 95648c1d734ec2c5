import { labelKeyProblems } from '../../../../kubernetes/name-rules.js';
import { checkImmutable } from '../immutable.js';
import type { KindRules } from '../kind-rules.js';
import {
  addDuplicate,
  addInvalid,
  addProblems,
  addRequired,
  at,
  entriesAt,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  mapOf,
  type Place,
  textOf,
  textsOf,
} from '../place.js';
import { checkAnyResourceName, checkResourceAmount, shownName, standardQuotaNames } from '../pods/container-resources.js';
import { deprecatedLabels } from '../pods/node-labels.js';
import { storageWarnings } from '../pods/pod-warnings.js';
import { checkKnown, checkLabelName } from '../rules.js';
import { checkClaimChange } from '../storage/claim-change.js';
import { checkClaimSpec } from '../storage/claim-spec.js';

/** Source: core/validation ValidateNamespace. */
export const namespaceRules: KindRules = {
  create: checkNamespace,
  update: ['metadata', checkNamespace, 'changes'],
};

/** Source: core/validation ValidateResourceQuota. */
export const resourceQuotaRules: KindRules = {
  create: quota => checkQuota(at(quota, 'spec')),
  update: ['changes', quota => checkQuota(at(quota, 'spec')), keepScopes],
};

/** Source: core/validation ValidatePersistentVolumeClaim. */
export const claimRules: KindRules = {
  create: claim => checkClaimSpec(at(claim, 'spec')),
  update: ['changes', 'metadata', claim => checkClaimSpec(at(claim, 'spec')), checkClaimChange],
  warnings: claimWarnings,
};

/** Source: storage/validation ValidateStorageClass. */
export const storageClassRules: KindRules = {
  create: checkStorageClass,
  update: [
    'metadata',
    checkStorageClass,
    'changes',
    (now, old) => {
      for (const name of ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'])
        checkImmutable(now, old, { type: 'storage/v1.StorageClass', name });
    },
  ],
  warnings: storageClass =>
    itemsAt(storageClass, 'allowedTopologies').flatMap(term =>
      itemsAt(term, 'matchLabelExpressions').flatMap(expression => {
        const key = at(expression, 'key');
        const message = deprecatedLabels[textOf(key)];
        return message === undefined ? [] : [`${key.path}: ${message}`];
      }),
    ),
};

/** Amounts of resources that a quota can hold, by their names. Source: core/validation ValidateResourceQuotaResourceName. */
export function checkQuotaAmounts(amounts: Place): void {
  for (const [name, place] of entriesAt(amounts)) {
    checkAnyResourceName(place, name);
    if (!name.includes('/') && !standardQuotaNames.has(name) && !/^(requests\.)?hugepages-/.test(name))
      addInvalid(place, 'must be a standard resource for quota', shownName(name));
    checkResourceAmount(place, name);
  }
}

function checkNamespace(namespace: Place): void {
  const list = at(namespace, 'spec', 'finalizers');
  for (const finalizer of textsOf(list)) {
    addProblems(list, labelKeyProblems(finalizer), finalizer);
    if (!finalizer.includes('/') && !['kubernetes', 'orphan', 'foregroundDeletion'].includes(finalizer))
      addInvalid(list, 'name is neither a standard finalizer name nor is it fully qualified', finalizer);
  }
}

function checkQuota(spec: Place): void {
  checkQuotaAmounts(at(spec, 'hard'));
  const scopes = at(spec, 'scopes');
  checkScopes(scopes, [...mapOf(at(spec, 'hard')).keys()]);
  for (const expression of itemsAt(spec, 'scopeSelector', 'matchExpressions'))
    checkScopeExpression({ ...expression, path: 'spec.scopeSelector.matchExpressions' });
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

function checkScopes(scopes: Place, names: readonly string[]): void {
  for (const scope of textsOf(scopes)) {
    if (!scopeNames.includes(scope)) addInvalid(scopes, 'unsupported scope');
    else if (scope === 'BestEffort')
      for (const name of names) if (name !== 'pods' && !name.includes('/')) addInvalid(scopes, 'unsupported scope applied to resource');
  }
  for (const [a, b] of [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ] as const)
    if (textsOf(scopes).includes(a) && textsOf(scopes).includes(b)) addInvalid(scopes, 'conflicting scopes');
}

function checkScopeExpression(expression: Place): void {
  const [name, operator, values] = [at(expression, 'scopeName'), at(expression, 'operator'), at(expression, 'values')];
  if (!scopeNames.includes(textOf(name))) addInvalid(name, 'unsupported scope');
  if (
    ['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort', 'CrossNamespacePodAffinity'].includes(textOf(name)) &&
    textOf(operator) !== 'Exists'
  )
    addInvalid(
      operator,
      `must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity`,
    );
  if (['In', 'NotIn'].includes(textOf(operator))) {
    if (lengthOf(values) === 0) addRequired(values, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
  } else if (['Exists', 'DoesNotExist'].includes(textOf(operator))) {
    if (lengthOf(values) > 0) addInvalid(values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
  } else addInvalid(operator, 'not a valid selector operator');
}

function keepScopes(quota: Place, old: Place): void {
  const [now, before] = [quota, old].map(place => new Set(textsOf(at(place, 'spec', 'scopes'))));
  const same = now?.size === before?.size && [...(now ?? [])].every(scope => before?.has(scope));
  if (!same)
    addInvalid(at(quota, 'spec', 'scopes'), 'field is immutable', at(quota, 'spec', 'scopes').value === undefined ? null : undefined);
}

function claimWarnings(claim: Place): string[] {
  const annotation = 'volume.beta.kubernetes.io/storage-class';
  return [
    ...(mapOf(at(claim, 'metadata', 'annotations')).has(annotation)
      ? [`metadata.annotations[${annotation}]: deprecated since v1.8; use "storageClassName" attribute instead`]
      : []),
    ...storageWarnings(at(claim, 'spec', 'resources')),
  ];
}

function checkStorageClass(place: Place): void {
  const [provisioner, policy, mode] = [at(place, 'provisioner'), at(place, 'reclaimPolicy'), at(place, 'volumeBindingMode')];
  if (textOf(provisioner) === '') addRequired(provisioner);
  else addProblems(provisioner, labelKeyProblems(textOf(provisioner).toLowerCase()), textOf(provisioner).toLowerCase());
  if (mapOf(at(place, 'parameters')).has('')) addInvalid(at(place, 'parameters'), 'field can not be empty.', '');
  if (textOf(policy) !== '') checkKnown(policy, ['Delete', 'Retain']);
  if (!isSet(mode)) addRequired(mode);
  else checkKnown(mode, ['Immediate', 'WaitForFirstConsumer']);
  checkTopologies(itemsAt(place, 'allowedTopologies'));
}

/** Every term says something else; one that says nothing is as good as the empty places of a list made too long. Source: validateAllowedTopologies. */
function checkTopologies(terms: readonly Place[]): void {
  const seen: string[] = terms.map(() => '[]');
  for (const term of terms) {
    const wanted = new Map<string, readonly string[]>();
    for (const expression of itemsAt(term, 'matchLabelExpressions')) {
      const [key, values] = [at(expression, 'key'), at(expression, 'values')];
      if (lengthOf(values) === 0) addRequired(values);
      const distinct = new Set<string>();
      for (const value of indexed(values)) {
        if (distinct.has(textOf(value))) addDuplicate(value);
        distinct.add(textOf(value));
      }
      checkLabelName(key);
      if (wanted.has(textOf(key))) addDuplicate(key);
      wanted.set(textOf(key), [...distinct].sort());
    }
    const text = JSON.stringify([...wanted].sort());
    for (const other of seen) if (other === text) addDuplicate(at(term, 'matchLabelExpressions'), '');
    seen.push(text);
  }
}
