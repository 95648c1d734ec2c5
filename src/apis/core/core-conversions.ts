import { type ConversionRules, zeroWhereAbsent } from '../../apiserver/objects/conversion-rules.js';
import { isAbsent } from '../../apiserver/objects/default-rules.js';
import { encodeBase64 } from '../../go/base64.js';
import { encodeUtf8Bytes } from '../../go/utf8.js';
import { ensureMap, isMap, listAt, mapAt, stringAt, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { initContainerAnnotations } from './init-container-annotations.js';

/** Source: kubernetes pkg/apis/core/v1/conversion.go. */
export const coreConversions: ConversionRules = {
  'core/v1.Pod': { toInternal: podToInternal },
  'core/v1.PodTemplateSpec': { toInternal: dropInitContainerAnnotations },
  'core/v1.PodSpec': { toInternal: podSpecToInternal, fromInternal: podSpecFromInternal },
  'core/v1.PodStatus': { toInternal: podStatusToInternal },
  'core/v1.NodeSpec': { toInternal: nodeSpecToInternal },
  'core/v1.Secret': { toInternal: secretToInternal },
  'core/v1.ServiceAccountTokenProjection': zeroWhereAbsent({ expirationSeconds: 0n }),
};

function podToInternal(pod: ValueMap, server: ApiServer): void {
  dropInitContainerAnnotations(pod, server);
  if (server.since('v1.37')) return;
  const spec = mapAt(pod, 'spec');
  const seconds = spec?.get('terminationGracePeriodSeconds');
  if (typeof seconds === 'bigint' && seconds < 0n) spec?.set('terminationGracePeriodSeconds', 1n);
}

function dropInitContainerAnnotations(object: ValueMap, server: ApiServer): void {
  const annotations = mapAt(object, 'metadata', 'annotations');
  if (!server.since('v1.37')) for (const key of initContainerAnnotations) annotations?.delete(key);
}

/** Converts a pod spec: the deprecated account name is used only if the other is absent; host settings are in the security context. Since v1.37 both types have the same fields. */
function podSpecToInternal(spec: ValueMap, server: ApiServer): void {
  if (server.since('v1.37')) return;
  if (isAbsent(spec, 'serviceAccountName')) spec.set('serviceAccountName', stringAt(spec, 'serviceAccount'));
  spec.delete('serviceAccount');
  ensureMap(spec, 'securityContext');
}

function podSpecFromInternal(spec: ValueMap, server: ApiServer): void {
  if (server.since('v1.37')) return;
  const account = stringAt(spec, 'serviceAccountName');
  if (account === '') spec.delete('serviceAccountName');
  else spec.set('serviceAccount', account);
}

/** Converts a pod status: the single address is the first of several and takes precedence when they differ. */
function podStatusToInternal(status: ValueMap, server: ApiServer): void {
  if (!server.since('v1.37')) alignAddresses(status);
}

/** Since v1.37 this is defaulting. Source: kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PodStatus. */
export function alignAddresses(status: ValueMap): void {
  const ip = stringAt(status, 'podIP');
  const first = listAt(status, 'podIPs')[0];
  if (ip !== '' && stringAt(first, 'ip') !== ip) status.set('podIPs', [new Map([['ip', ip]])]);
  else if (ip === '' && first !== undefined && stringAt(first, 'ip') !== '') status.set('podIP', stringAt(first, 'ip'));
}

function nodeSpecToInternal(spec: ValueMap): void {
  const range = stringAt(spec, 'podCIDR');
  const first = listAt(spec, 'podCIDRs')[0];
  if (range !== '' && first !== range) spec.set('podCIDRs', [range]);
  else if (range === '' && typeof first === 'string' && first !== '') spec.set('podCIDR', first);
}

function secretToInternal(secret: ValueMap): void {
  const texts = secret.get('stringData');
  secret.delete('stringData');
  if (!isMap(texts) || texts.size === 0) return;
  const data = ensureMap(secret, 'data');
  for (const [key, text] of texts) if (typeof text === 'string') data.set(key, encodeBase64(encodeUtf8Bytes(text)));
}
