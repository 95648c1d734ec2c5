import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { stringAt } from '../../../go/value.js';
import { pathSegmentPrefixProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { coreEventRules } from './event-validation.js';

/** Event. */
export const eventKind: KindDefinition = {
  validation: coreEventRules,
  nameProblems: pathSegmentProblems,
  prefixProblems: pathSegmentPrefixProblems,
  allowsCreateOnUpdate: true,
  deletion: { dependents: 'none' },
  fieldLabels: {
    fields: [
      'metadata.namespace',
      ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(name => `involvedObject.${name}`),
      ...['reason', 'reportingComponent', 'source', 'type'],
    ],
    derived: { source: event => stringAt(event, 'source', 'component') || stringAt(event, 'reportingComponent') },
  },
};
