import { type ConversionRules, renamed, zeroWhereAbsent } from '../apiserver/objects/conversion-rules.js';
import { ensureMap, isMap, stringAt, type ValueMap } from '../go/value.js';
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
