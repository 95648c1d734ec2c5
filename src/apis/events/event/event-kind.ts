import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { pathSegmentPrefixProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { eventRulesOf } from '../../core/event/event-validation.js';

/** Event of events.k8s.io. */
export const eventsGroupEventKind: KindDefinition = {
  validation: eventRulesOf,
  nameProblems: pathSegmentProblems,
  prefixProblems: pathSegmentPrefixProblems,
  allowsCreateOnUpdate: true,
  kindInErrors: { group: '', kind: 'Event' },
  deletion: { dependents: 'none' },
  fieldLabels: {
    fields: [
      'metadata.namespace',
      ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(name => `regarding.${name}`),
      ...['reason', 'reportingController', 'type'],
    ],
  },
};
