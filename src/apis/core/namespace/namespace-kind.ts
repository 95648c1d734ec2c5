import type { DeletionRules } from '../../../apiserver/registry/deletion-rules.js';
import { restore } from '../../../apiserver/registry/generic/common-strategy.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules, UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { foreground, orphan, setFinalizers } from '../../../apiserver/storage/deletion-finalizers.js';
import type { ValueMap } from '../../../go/value.js';
import { ensureMap, listAt, stringAt, toValue } from '../../../go/value.js';
import { dns1123LabelProblems, labelKeyProblems } from '../../../kubernetes/name-rules.js';

/** A Namespace is removed once it is empty. Source: kubernetes pkg/registry/core/namespace/storage. */
const namespaceDeletion: DeletionRules = {
  returnsObject: true,
  firstMark: {
    mark: (object, options) => {
      ensureMap(object, 'status').set('phase', 'Terminating');
      updateFinalizers(object, options);
    },
    keeps: object => listAt(object, 'spec', 'finalizers').length > 0,
  },
};

/** Sets the finalizers for dependents, each one separately. */
function updateFinalizers(object: ValueMap, options: ValueMap): void {
  const before = listAt(object, 'metadata', 'finalizers');
  const orphans = options.get('orphanDependents');
  const policy = options.get('propagationPolicy');
  const wants = (finalizer: string, isOrphan: boolean): boolean => {
    if (typeof orphans === 'boolean') return orphans === isOrphan;
    if (typeof policy === 'string') return policy === (isOrphan ? 'Orphan' : 'Foreground');
    return before.includes(finalizer);
  };
  const kept = before.filter(f => f !== orphan && f !== foreground);
  setFinalizers(object, before, [...kept, ...(wants(orphan, true) ? [orphan] : []), ...(wants(foreground, false) ? [foreground] : [])]);
}

/** Source: core/validation ValidateNamespaceStatusUpdate. */
const namespaceStatus: readonly UpdateStep[] = [
  'changes',
  namespace => {
    const going = namespace.text('metadata', 'deletionTimestamp') !== '';
    const phase = namespace.child('status', 'phase').shownAt('status.Phase');
    const wanted = going ? 'Terminating' : 'Active';
    if (phase.text() !== wanted) phase.invalid(`may only be '${wanted}' if \`deletionTimestamp\` is ${going ? 'not ' : ''}empty`);
  },
];

/** Source: core/validation ValidateNamespaceFinalizeUpdate. */
const namespaceFinalize: readonly UpdateStep[] = [
  'changes',
  namespace => {
    for (const finalizer of namespace.child('spec', 'finalizers').items()) {
      const name = finalizer.text();
      finalizer.invalidEach(labelKeyProblems(namespace.server, name));
      if (!name.includes('/') && !['kubernetes', 'orphan', 'foregroundDeletion'].includes(name))
        finalizer.invalid(name, 'name is neither a standard finalizer name nor is it fully qualified');
    }
  },
];

/** Source: kubernetes pkg/registry/core/namespace/strategy.go. */
const namespace: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    object.set('status', toValue({ phase: 'Active' }));
    const spec = ensureMap(object, 'spec');
    const finalizers = listAt(spec, 'finalizers');
    if (!finalizers.includes('kubernetes')) spec.set('finalizers', [...finalizers, 'kubernetes']);
  },
  prepareForUpdate: (object, old, context) => {
    if (context.subresource === 'finalize') return restore(object, old, 'status');
    base.prepareForUpdate(object, old, context);
    if (context.subresource === '') ensureMap(object, 'spec').set('finalizers', listAt(old, 'spec', 'finalizers'));
  },
  // After validation, so that a generated name gets its label too.
  canonicalize: object => {
    const name = stringAt(object, 'metadata', 'name');
    if (name !== '') ensureMap(ensureMap(object, 'metadata'), 'labels').set('kubernetes.io/metadata.name', name);
  },
});

/** Source: core/validation ValidateNamespace. */
const namespaceRules: KindRules = {
  create: checkNamespace,
  update: ['metadata', checkNamespace, 'changes'],
};

function checkNamespace(namespace: FieldPath): void {
  const list = namespace.child('spec', 'finalizers');
  for (const finalizer of list.texts()) {
    list.invalidEach(finalizer, labelKeyProblems(namespace.server, finalizer));
    if (!finalizer.includes('/') && !['kubernetes', 'orphan', 'foregroundDeletion'].includes(finalizer))
      list.invalid(finalizer, 'name is neither a standard finalizer name nor is it fully qualified');
  }
}

/** Namespace. */
export const namespaceKind: KindDefinition = {
  refine: namespace,
  validation: namespaceRules,
  nameProblems: dns1123LabelProblems,
  subresources: { status: { update: namespaceStatus }, finalize: { update: namespaceFinalize } },
  resetsStatus: true,
  deletion: namespaceDeletion,
  fieldLabels: { fields: ['status.phase'] },
  resetFields: { finalize: ['status'] },
};
