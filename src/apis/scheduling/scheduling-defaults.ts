import { constants, type DefaultRules } from '../../apiserver/objects/default-rules.js';

/** Source: kubernetes pkg/apis/scheduling defaults.go. */
export const schedulingDefaults: DefaultRules = {
  'scheduling/v1.PriorityClass': constants({ preemptionPolicy: 'PreemptLowerPriority' }),
  'scheduling/v1beta1.PriorityClass': constants({ preemptionPolicy: 'PreemptLowerPriority' }),
  'scheduling/v1alpha2.PodGroupSpec': constants({ disruptionMode: 'Pod' }),
};
