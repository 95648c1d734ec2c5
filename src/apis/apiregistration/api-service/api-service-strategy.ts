import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { mapAt, toValue } from '../../../go/value.js';
import { timestampOf } from '../../../kubernetes/timestamp.js';

/** A new APIService without a service is available. Source: kube-aggregator pkg/registry/apiservice/strategy.go. */
export const apiService: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    if (mapAt(object, 'spec', 'service') !== undefined) return;
    const condition = {
      type: 'Available',
      status: 'True',
      lastTransitionTime: timestampOf(context.effects.now()),
      reason: 'Local',
      message: 'Local APIServices are always available',
    };
    object.set('status', toValue({ conditions: [condition] }));
  },
});
