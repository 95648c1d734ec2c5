import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { mapAt, toValue } from '../../../go/value.js';
import { timestampOf } from '../../../kubernetes/timestamp.js';
import { apiServiceNameProblems, apiServiceRules, apiServiceStatus } from './api-service-validation.js';

/** A new APIService without a service is available. Source: kube-aggregator pkg/registry/apiservice/strategy.go. */
const apiService: Refinement = base => ({
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

/** APIService. */
export const apiServiceKind: KindDefinition = {
  hasNoStatusTables: true,
  refine: apiService,
  validation: apiServiceRules,
  nameProblems: apiServiceNameProblems,
  subresources: { status: { update: apiServiceStatus } },
  allowsUnconditionalUpdate: false,
  resetsStatus: true,
  keepsMetadataInStatus: true,
  resetFields: { status: ['spec', 'metadata'] },
  anyFinalizers: true,
};
