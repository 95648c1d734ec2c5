import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { addInvalid, addProblems, at, type Place, textsOf } from '../../../apiserver/registry/validation/place.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';

/** Source: core/validation ValidateNamespace. */
export const namespaceRules: KindRules = {
  create: checkNamespace,
  update: ['metadata', checkNamespace, 'changes'],
};

function checkNamespace(namespace: Place): void {
  const list = at(namespace, 'spec', 'finalizers');
  for (const finalizer of textsOf(list)) {
    addProblems(list, labelKeyProblems(namespace.server, finalizer), finalizer);
    if (!finalizer.includes('/') && !['kubernetes', 'orphan', 'foregroundDeletion'].includes(finalizer))
      addInvalid(list, 'name is neither a standard finalizer name nor is it fully qualified', finalizer);
  }
}
