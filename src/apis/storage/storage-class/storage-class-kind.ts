import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { declared } from '../../../apiserver/registry/validation/declared.js';
import { checkDeclaredImmutable, sameMember } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import {
  addDuplicate,
  addForbidden,
  addProblems,
  addRequired,
  at,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkKnown, checkLabelName } from '../../../apiserver/registry/validation/rules.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { labelDeprecation } from '../../core/pod/validation/node-labels.js';
import { checkParameters } from '../parameters.js';

/** Source: storage/validation ValidateStorageClass. */
const storageClassRules: KindRules = {
  create: checkStorageClass,
  update: ['metadata', checkStorageClass, 'changes', checkFixedFields],
  warnings: storageClass =>
    itemsAt(storageClass, 'allowedTopologies').flatMap(term =>
      itemsAt(term, 'matchLabelExpressions').flatMap(expression => {
        const key = at(expression, 'key');
        const message = labelDeprecation(key.server, textOf(key));
        return message === undefined ? [] : [`${key.path}: ${message}`];
      }),
    ),
};

function checkFixedFields(now: Place, old: Place): void {
  for (const name of ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']) {
    const member = { type: 'storage/v1.StorageClass', name };
    if (now.server.since('v1.36') || name === 'volumeBindingMode') checkDeclaredImmutable(now, old, member);
    else if (!sameMember(now.server, at(now, name).value, at(old, name).value, member))
      addForbidden(at(now, name), `updates to ${name} are forbidden.`);
  }
}

function checkStorageClass(place: Place, old?: Place): void {
  const [provisioner, policy, mode] = [at(place, 'provisioner'), at(place, 'reclaimPolicy'), at(place, 'volumeBindingMode')];
  if (textOf(provisioner) === '')
    declared(provisioner, old === undefined ? undefined : at(old, 'provisioner'), () => addRequired(provisioner));
  else addProblems(provisioner, labelKeyProblems(place.server, textOf(provisioner).toLowerCase()), textOf(provisioner).toLowerCase());
  checkParameters(at(place, 'parameters'));
  if (textOf(policy) !== '') checkKnown(policy, ['Delete', 'Retain']);
  if (!isSet(mode)) addRequired(mode);
  else checkKnown(mode, ['Immediate', 'WaitForFirstConsumer']);
  checkTopologies(itemsAt(place, 'allowedTopologies'));
}

/**
 * Validates that terms are unique; a term without requirements equals the empty slots of an oversized list. Source:
 * validateAllowedTopologies.
 */
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

/** StorageClass. */
export const storageClassKind: KindDefinition = { validation: storageClassRules, deletion: { returnsObject: true } };
