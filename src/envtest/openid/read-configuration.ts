import { flagField, listField, type Struct, textField, textsField } from '../../cli/work/apiserver/go-fields.js';
import { StartError } from '../../cli/work/apiserver/start-error.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { checkType, decodeDocument, readTyped, refuseUnknown, versionOf } from '../documents/configuration-document.js';
import type { AuthenticationConfiguration } from './configuration.js';

const group = 'apiserver.config.k8s.io';
const versions = ['v1', 'v1beta1', 'v1alpha1'];

/** Other kinds of the scheme, by their apiVersion, with the type in Go that they are decoded to. */
const otherKinds: ReadonlyMap<string, string> = new Map([
  [`${group}/v1 AdmissionConfiguration`, 'apiserver.AdmissionConfiguration'],
  [`${group}/v1 EncryptionConfiguration`, 'apiserver.EncryptionConfiguration'],
  ['v1 EncryptionConfig', 'apiserver.EncryptionConfiguration'],
  ['v1 Status', 'v1.Status'],
  ['apiserver.k8s.io/v1alpha1 AdmissionConfiguration', 'apiserver.AdmissionConfiguration'],
  ['apiserver.k8s.io/v1alpha1 EgressSelectorConfiguration', 'apiserver.EgressSelectorConfiguration'],
  ['apiserver.k8s.io/v1beta1 EgressSelectorConfiguration', 'apiserver.EgressSelectorConfiguration'],
  ...versions.flatMap(version =>
    ['AuthorizationConfiguration', 'TracingConfiguration'].map((kind): [string, string] => [
      `${group}/${version} ${kind}`,
      `apiserver.${kind}`,
    ]),
  ),
]);

/** Returns the configuration in a text. Throws StartError. Source: kubernetes pkg/kubeapiserver/options/authentication.go loadAuthenticationConfigFromData. */
export function readAuthenticationConfiguration(server: ApiServer, text: string): AuthenticationConfiguration {
  if (text === '') throw new StartError('empty config data');
  const document = decodeDocument(text, '');
  checkType(server, document, { text, prefix: '' }, [
    ...versions.map(version => `${group}/${version} AuthenticationConfiguration`),
    ...otherKinds.keys(),
  ]);
  const other = otherKinds.get(`${String(document['apiVersion'])} ${String(document['kind'])}`);
  if (other !== undefined) throw new StartError(`expected AuthenticationConfiguration, got *${other}`);
  const struct = structOf(versionOf(document));
  const configuration = readTyped<AuthenticationConfiguration>(document, struct, '');
  refuseUnknown(document, struct, { text, prefix: '' });
  return configuration;
}

/** Source: apiserver apis/apiserver/v1/types.go. */
function structOf(version: string): Struct {
  const struct = (name: string, fields: Struct['fields']): Struct => ({ goType: `${version}.${name}`, fields });
  const claim = { claim: textField, expression: textField };
  const prefixed = struct('PrefixedClaimOrExpression', { ...claim, prefix: textField });
  const issuer = struct('Issuer', {
    url: textField,
    discoveryURL: textField,
    certificateAuthority: textField,
    audiences: textsField,
    audienceMatchPolicy: textField,
    egressSelectorType: textField,
  });
  const rule = { expression: textField, message: textField };
  const mappings = struct('ClaimMappings', {
    username: prefixed,
    groups: prefixed,
    uid: struct('ClaimOrExpression', claim),
    extra: listField(struct('ExtraMapping', { key: textField, valueExpression: textField })),
  });
  const authenticator = struct('JWTAuthenticator', {
    issuer,
    claimValidationRules: listField(struct('ClaimValidationRule', { ...rule, claim: textField, requiredValue: textField })),
    claimMappings: mappings,
    userValidationRules: listField(struct('UserValidationRule', rule)),
  });
  const condition = struct('AnonymousAuthCondition', { path: textField });
  const anonymous = struct('AnonymousAuthConfig', { enabled: flagField, conditions: listField(condition) });
  return { goType: `${version}.AuthenticationConfiguration`, fields: { jwt: listField(authenticator), anonymous } };
}
