import { copyOf, ensureMap, listAt, mapAt, stringAt, toValue, type ValueMap } from '../../go/value.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import { commitUpdate } from '../storage/commit.js';
import type { CallContext } from './call-context.js';

/** Assigns a pod in live storage to the node of a Binding. Source: kubernetes pkg/registry/core/pod/storage/storage.go setPodNodeAndMetadata. */
export function assignPod(pod: ValueMap, binding: ValueMap, context: CallContext): void {
  const changed = copyOf(pod);
  ensureMap(changed, 'spec').set('nodeName', stringAt(binding, 'target', 'name'));
  const annotations = mapAt(binding, 'metadata', 'annotations');
  if (annotations !== undefined) {
    const own = ensureMap(ensureMap(changed, 'metadata'), 'annotations');
    for (const [key, value] of annotations) own.set(key, value);
  }
  const status = ensureMap(changed, 'status');
  const others = listAt(status, 'conditions').filter(condition => stringAt(condition, 'type') !== 'PodScheduled');
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: timestampOf(context.effects.now()) };
  status.set('conditions', [...others, toValue(scheduled)]);
  commitUpdate(pod, context)?.(changed);
}
