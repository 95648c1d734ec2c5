import { quote } from '../../../../kubernetes/quote.js';
import { structNamed } from '../../../../kubernetes/type-table.js';
import { semanticallyEqualAs } from '../../../objects/semantic-equality.js';
import { indentedInternal } from '../go-value.js';
import type { UpdateStep } from '../kind-rules.js';
import { checkPod } from '../kinds/pod.js';
import { addForbidden, at, itemsAt, type Place, textAt } from '../place.js';
import { checkAnnotationChanges } from '../pods/pod-update.js';
import { unifiedDiff } from '../unified-diff.js';
import { isStatic } from './resize.js';

/** Containers for debugging are only added. Source: core/validation ValidatePodEphemeralContainersUpdate. */
export const ephemeralContainers: readonly UpdateStep[] = [
  'changes',
  'metadata',
  checkPod,
  checkAnnotationChanges,
  (pod, old) => {
    if (isStatic(old)) {
      pod.errors.length = 0;
      addForbidden({ ...pod, path: '' }, 'static pods do not support ephemeral containers');
    } else checkKept(pod, old);
  },
];

const type = 'core/v1.EphemeralContainer';

function checkKept(pod: Place, old: Place): void {
  const list = at(pod, 'spec', 'ephemeralContainers');
  for (const stored of itemsAt(old, 'spec', 'ephemeralContainers')) {
    const name = textAt(stored, 'name');
    const now = itemsAt(pod, 'spec', 'ephemeralContainers').findLast(container => textAt(container, 'name') === name);
    if (now === undefined) {
      addForbidden(list, `existing ephemeral containers ${quote(name)} may not be removed\n`);
      continue;
    }
    if (semanticallyEqualAs(structNamed(type), stored.value, now.value)) continue;
    const diff = unifiedDiff(indentedInternal(type, stored.value), indentedInternal(type, now.value));
    addForbidden(list, `existing ephemeral containers ${quote(name)} may not be changed\n${diff}`);
  }
}
