import { toValue, type ValueMap } from '../go/value.js';
import { timestampOf } from '../kubernetes/timestamp.js';
import type { AuthenticationOptions } from './authentication-options.js';

/**
 * Returns the ConfigMap from which other API servers read who may authenticate; none if there is nothing to tell. Source: kubernetes
 * pkg/controlplane/controller/clusterauthenticationtrust.
 */
export function extensionAuthentication({ clientCa, requestHeaders }: AuthenticationOptions, now: Date): readonly ValueMap[] {
  const list = (values: readonly string[]): string => JSON.stringify(values);
  const data: Record<string, string> = {
    ...(clientCa === 'none' ? {} : { 'client-ca-file': certificatesOf(clientCa) }),
    ...(requestHeaders === undefined
      ? {}
      : {
          'requestheader-allowed-names': list(requestHeaders.allowedNames),
          'requestheader-client-ca-file': certificatesOf(requestHeaders.ca),
          'requestheader-extra-headers-prefix': list(requestHeaders.extraPrefixes),
          'requestheader-group-headers': list(requestHeaders.groupHeaders),
          'requestheader-uid-headers': list(requestHeaders.uidHeaders),
          'requestheader-username-headers': list(requestHeaders.usernameHeaders),
        }),
  };
  if (Object.keys(data).length === 0) return [];
  const time = timestampOf(now);
  const fieldsV1 = { 'f:data': { '.': {}, ...Object.fromEntries(Object.keys(data).map(key => [`f:${key}`, {}])) } };
  const managedFields = [{ manager: 'kube-apiserver', operation: 'Update', apiVersion: 'v1', time, fieldsType: 'FieldsV1', fieldsV1 }];
  const map = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'extension-apiserver-authentication', namespace: 'kube-system', creationTimestamp: time, managedFields },
    data,
  };
  return [toValue(map) as ValueMap];
}

function certificatesOf(pem: string): string {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return blocks.map(block => `${block}\n`).join('');
}
