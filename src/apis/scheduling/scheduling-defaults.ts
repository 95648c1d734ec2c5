import { constants, type DefaultRules, setDefault } from '../../apiserver/objects/default-rules.js';
import type { ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';

/** Source: kubernetes pkg/apis/scheduling defaults.go. */
export const schedulingDefaults: DefaultRules = {
  'scheduling/v1.PriorityClass': constants({ preemptionPolicy: 'PreemptLowerPriority' }),
  'scheduling/v1beta1.PriorityClass': constants({ preemptionPolicy: 'PreemptLowerPriority' }),
  'scheduling/v1alpha2.PodGroupSpec': constants({ disruptionMode: 'Pod' }),
  'scheduling/v1alpha3.PodGroupSpec': podGroup,
  'scheduling/v1alpha3.CompositePodGroupSpec': podGroup,
  'scheduling/v1beta1.PodGroupSpec': spec => setDefault(spec, 'disruptionMode', single()),
  'scheduling/v1beta1.CompositePodGroupSpec': spec => setDefault(spec, 'disruptionMode', single()),
};

function podGroup(spec: ValueMap, _now: Date | undefined, server: ApiServer): void {
  // Since v1.38 only the admission plugin sets it.
  if (server.until('v1.37') && server.isEnabled('PodGroupPreemptionPolicy')) setDefault(spec, 'preemptionPolicy', 'PreemptLowerPriority');
  setDefault(spec, 'disruptionMode', single());
}

function single(): ValueMap {
  return new Map([['single', new Map()]]);
}
