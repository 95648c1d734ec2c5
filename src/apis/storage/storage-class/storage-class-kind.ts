import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkImmutable, sameMember } from '../../../apiserver/registry/validation/immutable.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkKnown, checkLabelName } from '../../../apiserver/registry/validation/rules.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import { labelDeprecation } from '../../core/pod/validation/node-labels.js';
import { checkParameters } from '../parameters.js';

/** Source: storage/validation ValidateStorageClass. */
const storageClassRules: KindRules = {
  create: checkStorageClass,
  update: ['metadata', checkStorageClass, 'changes', checkFixedFields],
  warnings: storageClass =>
    storageClass.items('allowedTopologies').flatMap(term =>
      term.items('matchLabelExpressions').flatMap(expression => {
        const key = expression.child('key');
        const message = labelDeprecation(key.server, key.text());
        return message === undefined ? [] : [`${key.path}: ${message}`];
      }),
    ),
};

function checkFixedFields(now: FieldPath, old: FieldPath): void {
  for (const name of ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']) {
    const member = { type: 'storage/v1.StorageClass', name };
    if (now.server.since('v1.36') || name === 'volumeBindingMode') checkImmutable(now, old, member);
    else if (!sameMember(now.server, now.child(name).value, old.child(name).value, member))
      now.child(name).forbidden(`updates to ${name} are forbidden.`);
  }
}

function checkStorageClass(field: FieldPath): void {
  const [provisioner, policy, mode] = [field.child('provisioner'), field.child('reclaimPolicy'), field.child('volumeBindingMode')];
  if (provisioner.text() === '') provisioner.required();
  else provisioner.invalidEach(provisioner.text().toLowerCase(), labelKeyProblems(field.server, provisioner.text().toLowerCase()));
  checkParameters(field.child('parameters'));
  if (policy.text() !== '') checkKnown(policy, ['Delete', 'Retain']);
  if (!mode.isSet()) mode.required();
  else checkKnown(mode, ['Immediate', 'WaitForFirstConsumer']);
  checkTopologies(field.items('allowedTopologies'));
}

/**
 * Validates that terms are unique; a term without requirements equals the empty slots of an oversized list. Source:
 * validateAllowedTopologies.
 */
function checkTopologies(terms: readonly FieldPath[]): void {
  const seen: string[] = terms.map(() => '[]');
  for (const term of terms) {
    const wanted = new Map<string, readonly string[]>();
    for (const expression of term.items('matchLabelExpressions')) {
      const [key, values] = [expression.child('key'), expression.child('values')];
      if (values.length() === 0) values.required();
      const distinct = new Set<string>();
      for (const value of values.items()) {
        if (distinct.has(value.text())) value.duplicate();
        distinct.add(value.text());
      }
      checkLabelName(key);
      if (wanted.has(key.text())) key.duplicate();
      wanted.set(key.text(), [...distinct].sort());
    }
    const text = JSON.stringify([...wanted].sort());
    for (const other of seen) if (other === text) term.child('matchLabelExpressions').duplicate('');
    seen.push(text);
  }
}

/** StorageClass. */
export const storageClassKind: KindDefinition = { validation: storageClassRules, deletion: { returnsObject: true } };
