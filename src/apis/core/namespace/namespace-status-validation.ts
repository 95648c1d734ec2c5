import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { addInvalid, addProblems, at, indexed, type Place, textAt, textOf } from '../../../apiserver/registry/validation/place.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';

/** Source: core/validation ValidateNamespaceStatusUpdate. */
export const namespaceStatus: readonly UpdateStep[] = [
  'changes',
  namespace => {
    const going = textAt(namespace, 'metadata', 'deletionTimestamp') !== '';
    const phase: Place = { ...at(namespace, 'status', 'phase'), path: 'status.Phase' };
    const wanted = going ? 'Terminating' : 'Active';
    if (textOf(phase) !== wanted) addInvalid(phase, `may only be '${wanted}' if \`deletionTimestamp\` is ${going ? 'not ' : ''}empty`);
  },
];

/** Source: core/validation ValidateNamespaceFinalizeUpdate. */
export const namespaceFinalize: readonly UpdateStep[] = [
  'changes',
  namespace => {
    for (const finalizer of indexed(at(namespace, 'spec', 'finalizers'))) {
      const name = textOf(finalizer);
      addProblems(finalizer, labelKeyProblems(namespace.server, name));
      if (!name.includes('/') && !['kubernetes', 'orphan', 'foregroundDeletion'].includes(name))
        addInvalid(finalizer, 'name is neither a standard finalizer name nor is it fully qualified', name);
    }
  },
];
