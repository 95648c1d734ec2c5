import { semanticallyEqualAs } from '../../../../apiserver/objects/semantic-equality.js';
import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { indentedInternal } from '../../../../apiserver/registry/validation/go-value.js';
import type { UpdateStep } from '../../../../apiserver/registry/validation/kind-rules.js';
import { unifiedDiff } from '../../../../apiserver/registry/validation/unified-diff.js';
import { quote } from '../../../../go/quote.js';
import { structNamed } from '../../../../kubernetes/type-table.js';
import { checkAnnotationChanges } from '../validation/pod-update-validation.js';
import { checkPod } from '../validation/pod-validation.js';
import { isStatic } from './resize.js';

/** Validation of ephemeral containers, which can only be added. Source: core/validation ValidatePodEphemeralContainersUpdate. */
export const ephemeralContainers: readonly UpdateStep[] = [
  'changes',
  'metadata',
  checkPod,
  checkAnnotationChanges,
  (pod, old) => {
    if (isStatic(old)) {
      pod.errors.length = 0;
      pod.shownAt('').forbidden('static pods do not support ephemeral containers');
    } else checkKept(pod, old);
  },
];

const type = 'core/v1.EphemeralContainer';

function checkKept(pod: FieldPath, old: FieldPath): void {
  const list = pod.child('spec', 'ephemeralContainers');
  for (const stored of old.items('spec', 'ephemeralContainers')) {
    const name = stored.text('name');
    const now = pod.items('spec', 'ephemeralContainers').findLast(container => container.text('name') === name);
    if (now === undefined) {
      list.forbidden(`existing ephemeral containers ${quote(name)} may not be removed\n`);
      continue;
    }
    if (semanticallyEqualAs(structNamed(pod.server, type), stored.value, now.value)) continue;
    const diff = unifiedDiff(indentedInternal(pod.server, type, stored.value), indentedInternal(pod.server, type, now.value));
    list.forbidden(`existing ephemeral containers ${quote(name)} may not be changed\n${diff}`);
  }
}
