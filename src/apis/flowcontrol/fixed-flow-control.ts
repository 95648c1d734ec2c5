import { semanticallyEqualAs } from '../../apiserver/objects/semantic-equality.js';
import type { FieldPath } from '../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../apiserver/registry/validation/go-value.js';
import { ownMember } from '../../go/own-members.js';
import { toValue, type Value } from '../../go/value.js';
import { structNamed } from '../../kubernetes/type-table.js';

const everything = [
  {
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  },
];

const ofGroups = (...names: readonly string[]) =>
  everything.map(rule => ({ subjects: names.map(name => ({ kind: 'Group', group: { name } })), ...rule }));

/** Objects that the API server creates and that are immutable, by kind and name. Source: apiserver flowcontrol/bootstrap/default.go. */
const fixed: Readonly<Record<'FlowSchema' | 'PriorityLevelConfiguration', Readonly<Record<string, unknown>>>> = {
  FlowSchema: {
    exempt: { priorityLevelConfiguration: { name: 'exempt' }, matchingPrecedence: 1, rules: ofGroups('system:masters') },
    'catch-all': {
      priorityLevelConfiguration: { name: 'catch-all' },
      matchingPrecedence: 10_000,
      distinguisherMethod: { type: 'ByUser' },
      rules: ofGroups('system:unauthenticated', 'system:authenticated'),
    },
  },
  PriorityLevelConfiguration: {
    exempt: { type: 'Exempt' },
    'catch-all': { type: 'Limited', limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } } },
  },
};

/** Part of the level `exempt` that may be changed. */
const free = 'exempt';

/**
 * Validates that a fixed object keeps its specification. Source: flowcontrol/validation ValidateFlowSchema,
 * ValidateIfMandatoryPriorityLevelConfigurationObject.
 */
export function checkFixedSpec(object: FieldPath, kind: 'FlowSchema' | 'PriorityLevelConfiguration'): void {
  const name = object.text('metadata', 'name');
  const wanted = ownMember(fixed[kind], name);
  if (wanted === undefined) return;
  const spec = object.child('spec');
  const isFree = kind === 'PriorityLevelConfiguration' && name === free;
  const compared: Value = isFree ? new Map([...spec.members()].filter(([key]) => key !== free)) : spec.members();
  const type = `flowcontrol/v1.${kind}Spec`;
  if (semanticallyEqualAs(structNamed(object.server, type), compared, toValue(wanted))) return;
  const except = isFree ? " except the 'spec.exempt' field" : '';
  spec.invalid(internalValue(object.server, type, spec.members()), `spec of '${name}'${except} must equal the fixed value`);
}
