import { type ConversionRules, renamed, zeroWhereAbsent } from '../apiserver/objects/conversion-rules.js';
import { isAbsent } from '../apiserver/objects/default-rules.js';
import { ensureMap, isMap, listAt, mapAt, stringAt, type ValueMap } from '../go/value.js';
import { parseApiVersion } from '../kubernetes/group-version.js';

const eventFields = {
  regarding: 'involvedObject',
  note: 'message',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
  reportingController: 'reportingComponent',
};
const rbacGroup = 'rbac.authorization.k8s.io';

/** Source: kubernetes pkg/apis/events, node, rbac, authentication, certificates, admissionregistration and kube-aggregator conversions. */
export const smallerGroupConversions: ConversionRules = {
  'events/v1.Event': renamed(eventFields),
  'events/v1beta1.Event': renamed(eventFields),
  'node/v1alpha1.RuntimeClass': {
    toInternal: runtimeClass => {
      const spec = runtimeClass.get('spec');
      runtimeClass.delete('spec');
      if (isMap(spec)) for (const [key, value] of spec) runtimeClass.set(key === 'runtimeHandler' ? 'handler' : key, value);
    },
    fromInternal: runtimeClass => {
      const spec = ensureMap(runtimeClass, 'spec');
      for (const key of ['handler', 'overhead', 'scheduling']) {
        const value = runtimeClass.get(key);
        if (value !== undefined) spec.set(key === 'handler' ? 'runtimeHandler' : key, value);
      }
    },
  },
  'rbac/v1alpha1.Subject': { toInternal: subjectToInternal, fromInternal: subjectFromInternal },
  'authentication/v1.TokenRequestSpec': zeroWhereAbsent({ expirationSeconds: 0n }),
  'certificates/v1beta1.CertificateSigningRequestSpec': zeroWhereAbsent({ signerName: '' }),
  'admissionregistration/v1.ServiceReference': zeroWhereAbsent({ port: 0n }),
  'admissionregistration/v1beta1.ServiceReference': zeroWhereAbsent({ port: 0n }),
  'apiregistration/v1.ServiceReference': zeroWhereAbsent({ port: 0n }),
  'apiregistration/v1beta1.ServiceReference': zeroWhereAbsent({ port: 0n }),
};

/** The first version named a subject's group by an apiVersion, and took the user `*` for everybody who is logged in. */
function subjectToInternal(subject: ValueMap): void {
  const kind = stringAt(subject, 'kind');
  const named = parseApiVersion(stringAt(subject, 'apiVersion'))?.group ?? '';
  subject.delete('apiVersion');
  const group = kind === 'ServiceAccount' ? '' : kind === 'User' || kind === 'Group' ? rbacGroup : named;
  if (group !== '') subject.set('apiGroup', group);
  if (kind !== 'User' || stringAt(subject, 'name') !== '*') return;
  subject.set('kind', 'Group').set('name', 'system:authenticated');
}

function subjectFromInternal(subject: ValueMap): void {
  const kind = stringAt(subject, 'kind');
  const group = stringAt(subject, 'apiGroup');
  subject.delete('apiGroup');
  if (kind === 'ServiceAccount' && group === '') subject.set('apiVersion', 'v1');
  else if ((kind === 'User' || kind === 'Group') && group === rbacGroup) subject.set('apiVersion', `${rbacGroup}/v1alpha1`);
  else if (group !== '') subject.set('apiVersion', `${group}/`);
}

const keepsZeroShares = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

/** Source: kubernetes pkg/apis/flowcontrol conversion.go. */
export const flowcontrolConversions: ConversionRules = {
  'flowcontrol/v1.LimitedPriorityLevelConfiguration': zeroWhereAbsent({ nominalConcurrencyShares: 0n }),
  'flowcontrol/v1beta1.LimitedPriorityLevelConfiguration': renamed({ assuredConcurrencyShares: 'nominalConcurrencyShares' }),
  'flowcontrol/v1beta2.LimitedPriorityLevelConfiguration': renamed({ assuredConcurrencyShares: 'nominalConcurrencyShares' }),
  'flowcontrol/v1beta3.PriorityLevelConfiguration': {
    toInternal: level => mapAt(level, 'metadata', 'annotations')?.delete(keepsZeroShares),
    fromInternal: level => {
      const limited = mapAt(level, 'spec', 'limited');
      if (limited === undefined || (limited.get('nominalConcurrencyShares') ?? 0n) !== 0n) return;
      const annotations = ensureMap(ensureMap(level, 'metadata'), 'annotations');
      if (!annotations.has(keepsZeroShares)) annotations.set(keepsZeroShares, '');
    },
  },
};

const emptyMatchLabel = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';

/** An empty selector selected nothing in the beta and everything since: a label that nobody has tells the two apart. Source: kubernetes pkg/apis/policy. */
export const policyConversions: ConversionRules = {
  'policy/v1.PodDisruptionBudget': {
    toInternal: budget => {
      const selector = mapAt(budget, 'spec', 'selector');
      if (selector !== undefined && !isLabelOnly(selector, 'Exists')) stripLabel(selector);
    },
  },
  'policy/v1beta1.PodDisruptionBudget': {
    toInternal: budget => {
      const selector = mapAt(budget, 'spec', 'selector');
      if (selector === undefined) return;
      if (isEmptySelector(selector)) setLabelOnly(selector, 'Exists');
      else if (isLabelOnly(selector, 'DoesNotExist')) selector.clear();
      else stripLabel(selector);
    },
    fromInternal: budget => {
      const selector = mapAt(budget, 'spec', 'selector');
      if (selector === undefined) return;
      if (isLabelOnly(selector, 'Exists')) selector.clear();
      else if (isEmptySelector(selector)) setLabelOnly(selector, 'DoesNotExist');
    },
  },
};

function isEmptySelector(selector: ValueMap): boolean {
  return (mapAt(selector, 'matchLabels')?.size ?? 0) === 0 && listAt(selector, 'matchExpressions').length === 0;
}

function isLabelOnly(selector: ValueMap, operator: string): boolean {
  const expressions = listAt(selector, 'matchExpressions');
  const only = expressions[0];
  if ((mapAt(selector, 'matchLabels')?.size ?? 0) > 0 || expressions.length !== 1 || listAt(only, 'values').length > 0) return false;
  return stringAt(only, 'key') === emptyMatchLabel && stringAt(only, 'operator') === operator;
}

function setLabelOnly(selector: ValueMap, operator: string): void {
  selector.clear();
  selector.set('matchExpressions', [
    new Map([
      ['key', emptyMatchLabel],
      ['operator', operator],
    ]),
  ]);
}

function stripLabel(selector: ValueMap): void {
  if (isAbsent(selector, 'matchExpressions')) return;
  selector.set(
    'matchExpressions',
    listAt(selector, 'matchExpressions').filter(expression => stringAt(expression, 'key') !== emptyMatchLabel),
  );
}
