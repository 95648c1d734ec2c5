import { restore } from '../../../apiserver/registry/generic/common-strategy.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import type { Value, ValueMap } from '../../../go/value.js';
import { copyOf, ensureMap, isMap, listAt, mapAt, stringAt } from '../../../go/value.js';
import { pathSegmentPrefixProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';
import { timestampOf } from '../../../kubernetes/timestamp.js';
import { certificateApproval, certificateRequestRules, certificateStatus } from './certificate-signing-request-validation.js';

/**
 * Strategy of certificate requests: the requester is the user who posts it. Source: kubernetes
 * pkg/registry/certificates/certificates/strategy.go.
 */
const certificateSigningRequest: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    const spec = ensureMap(object, 'spec');
    const { username, uid, groups, extra } = context.user;
    spec.set('username', username);
    spec.set('uid', uid);
    spec.set('groups', [...groups]);
    if (extra.size > 0) spec.set('extra', new Map([...extra].map(([key, values]) => [key, [...values]])));
    else spec.delete('extra');
  },
  prepareForUpdate: (object, old, context) => {
    restore(object, old, 'spec');
    if (context.subresource === '') restore(object, old, 'status');
    else {
      if (context.subresource === 'status') keepDecisions(object, old);
      setConditionTimes(object, old, timestampOf(context.effects.now()));
      if (context.subresource === 'approval') keepConditionsOnly(object, old);
    }
  },
});

/** Keeps the decisions, which are not written through `status`; the stored ones are kept when the number is unchanged. */
function keepDecisions(object: ValueMap, old: ValueMap): void {
  const conditions = [...listAt(object, 'status', 'conditions')];
  for (const type of ['Approved', 'Denied']) {
    const stored = listAt(old, 'status', 'conditions').filter(c => stringAt(c, 'type') === type);
    const places = [...conditions.keys()].filter(i => stringAt(conditions[i], 'type') === type);
    if (places.length !== stored.length) continue;
    for (const [n, place] of places.entries()) conditions[place] = copyOf(stored[n] ?? null);
  }
  if (conditions.length > 0) ensureMap(object, 'status').set('conditions', conditions);
}

function setConditionTimes(object: ValueMap, old: ValueMap, now: string): void {
  const stored = listAt(old, 'status', 'conditions');
  for (const condition of listAt(object, 'status', 'conditions').filter(isMap)) {
    const isAlike = (other: Value): boolean => ['type', 'status'].every(key => stringAt(other, key) === stringAt(condition, key));
    const before = stored.find(other => isAlike(other) && stringAt(other, 'lastTransitionTime') !== '');
    if (stringAt(condition, 'lastUpdateTime') === '') condition.set('lastUpdateTime', now);
    if (stringAt(condition, 'lastTransitionTime') === '')
      condition.set('lastTransitionTime', stringAt(before, 'lastTransitionTime') || now);
  }
}

function keepConditionsOnly(object: ValueMap, old: ValueMap): void {
  const conditions = mapAt(object, 'status')?.get('conditions');
  restore(object, old, 'status');
  const status = ensureMap(object, 'status');
  if (conditions === undefined) status.delete('conditions');
  else status.set('conditions', conditions);
}

/** CertificateSigningRequest. */
export const certificateSigningRequestKind: KindDefinition = {
  refine: certificateSigningRequest,
  validation: certificateRequestRules,
  nameProblems: pathSegmentProblems,
  prefixProblems: pathSegmentPrefixProblems,
  subresources: { status: { update: certificateStatus }, approval: { update: certificateApproval } },
  resetsStatus: true,
  fieldLabels: { fields: ['spec.signerName'] },
  resetFields: { '': ['spec', 'status'], status: ['spec', 'status.conditions'], approval: ['spec', 'status.certificate'] },
};
