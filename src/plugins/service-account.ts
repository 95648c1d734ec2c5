import type { Attributes } from '../apiserver/admission/attributes.js';
import type { AdmissionContext, AdmissionPlugin } from '../apiserver/admission/chain.js';
import { admissionRefusal } from '../apiserver/admission/name-in-refusal.js';
import { parseBool } from '../go/parse-float.js';
import { quote } from '../go/quote.js';
import { ensureMap, isMap, listAt, stringAt, toValue, type Value, type ValueMap, valueAt } from '../go/value.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import { randomSuffix } from '../kubernetes/generated-names.js';
import { pathSegmentError } from '../kubernetes/name-rules.js';
import { PlainError } from '../kubernetes/status.js';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const volumePrefix = 'kube-api-access-';

/** ServiceAccount: sets the service account of a pod and mounts its token. Source: kubernetes plugin/pkg/admission/serviceaccount. */
export const serviceAccountPlugin: AdmissionPlugin = {
  name: 'ServiceAccount',
  operations: ['CREATE', 'UPDATE'],
  admit: (attributes, context) => {
    const { resource, subresource, operation, object } = attributes;
    if (operation !== 'CREATE' || resource.group !== '' || resource.resource !== 'pods' || subresource !== '' || object === undefined)
      return;
    if (isMirrorPod(object.value)) return check(attributes, context);
    const spec = ensureMap(object.value, 'spec');
    const account = accountOf(spec, attributes, context);
    if (mountsToken(spec, account)) mountToken(spec, context);
    if (listAt(spec, 'imagePullSecrets').length === 0) {
      const secrets = listAt(account, 'imagePullSecrets').map(s => toValue({ name: stringAt(s, 'name') }));
      if (secrets.length > 0) spec.set('imagePullSecrets', secrets);
    }
    check(attributes, context);
  },
  validate: (attributes, context) => {
    const { resource, subresource, operation, object } = attributes;
    if (resource.group !== '' || resource.resource !== 'pods' || object === undefined) return;
    if (operation === 'CREATE' && subresource === '') check(attributes, context);
    if (operation === 'UPDATE' && subresource === 'ephemeralcontainers') checkEphemeral(object.value, attributes, context);
  },
};

function isMirrorPod(pod: ValueMap): boolean {
  return valueAt(pod, 'metadata', 'annotations', 'kubernetes.io/config.mirror') !== undefined;
}

function accountOf(spec: ValueMap, attributes: Attributes, context: AdmissionContext): ValueMap {
  const name = stringAt(spec, 'serviceAccountName') || 'default';
  spec.set('serviceAccountName', name);
  // The field's old name is kept in sync with the new one.
  spec.set('serviceAccount', name);
  return foundAccount(name, attributes, context);
}

function foundAccount(name: string, attributes: Attributes, { storage, state }: AdmissionContext): ValueMap {
  const found = storage.find({ group: '', kind: 'ServiceAccount' }, attributes.namespace, name);
  if (found !== undefined) return found;
  if (state.presumesNamespaces) return new Map();
  // The plugin looks on the server for what its cache does not have.
  const why = pathSegmentError('resource name', name) ?? `serviceaccount ${quote(name)} not found`;
  throw admissionRefusal(attributes, `error looking up service account ${attributes.namespace}/${name}: ${why}`);
}

function mountsToken(spec: ValueMap, account: ValueMap): boolean {
  const own = spec.get('automountServiceAccountToken');
  if (typeof own === 'boolean') return own;
  return account.get('automountServiceAccountToken') !== false;
}

/** Mounts the token where nothing is mounted yet; the volume is added only with a container that needs it. */
function mountToken(spec: ValueMap, { effects, server }: AdmissionContext): void {
  const volumes = listAt(spec, 'volumes');
  const existing = volumes.map(v => stringAt(v, 'name')).find(name => name.startsWith(volumePrefix));
  const name = existing ?? `${volumePrefix}${randomSuffix(effects, 5)}`;
  let mounted = false;
  for (const container of [...listAt(spec, 'initContainers'), ...listAt(spec, 'containers')]) {
    if (!isMap(container) || listAt(container, 'volumeMounts').some(m => stringAt(m, 'mountPath') === mountPath)) continue;
    container.set('volumeMounts', [...listAt(container, 'volumeMounts'), tokenMount(name)]);
    mounted = true;
  }
  if (mounted && existing === undefined) spec.set('volumes', [...volumes, tokenVolume(server, name)]);
}

function tokenMount(name: string): Value {
  return mapOf(['name', name], ['readOnly', true], ['mountPath', mountPath]);
}

/** Made of maps: plain objects, which are converted, would take a hundredth of the time of each creation of a pod. */
function tokenVolume(server: ApiServer, name: string): Value {
  const trust = server.isEnabled('KubeAPIServerWorkloadsTrust') ? clusterTrustBundle() : rootConfigMap();
  const reference = mapOf(['apiVersion', 'v1'], ['fieldPath', 'metadata.namespace']);
  const sources = [
    mapOf(['serviceAccountToken', mapOf(['expirationSeconds', 3607n], ['path', 'token'])]),
    trust,
    mapOf(['downwardAPI', mapOf(['items', [mapOf(['path', 'namespace'], ['fieldRef', reference])]])]),
  ];
  return mapOf(['name', name], ['projected', mapOf(['sources', sources], ['defaultMode', 420n])]);
}

function clusterTrustBundle(): Value {
  const signer = 'kubernetes.io/kube-apiserver-serving';
  return mapOf(['clusterTrustBundle', mapOf(['signerName', signer], ['labelSelector', mapOf()], ['path', 'ca.crt'])]);
}

function rootConfigMap(): Value {
  const items = [mapOf(['key', 'ca.crt'], ['path', 'ca.crt'])];
  return mapOf(['configMap', mapOf(['name', 'kube-root-ca.crt'], ['items', items])]);
}

function mapOf(...members: readonly (readonly [string, Value])[]): ValueMap {
  return new Map(members);
}

/** Checks ephemeral containers, whose refusal is a plain error. */
function checkEphemeral(pod: ValueMap, attributes: Attributes, context: AdmissionContext): void {
  const { namespace } = attributes;
  const name = stringAt(pod, 'spec', 'serviceAccountName');
  if (name === '')
    throw admissionRefusal(attributes, `no service account specified for pod ${namespace}/${stringAt(pod, 'metadata', 'name')}`);
  const found = mountableSecretsRefusal(only(pod, 'ephemeralContainers'), foundAccount(name, attributes, context));
  if (found !== undefined) throw new PlainError(found);
}

/** Returns the pod with only one of its lists. */
function only(pod: ValueMap, list: string): ValueMap {
  return new Map([['spec', new Map([[list, listAt(pod, 'spec', list)]])]]);
}

/** Checks the references of a pod. */
function check(attributes: Attributes, context: AdmissionContext): void {
  const pod = attributes.object?.value;
  if (pod === undefined) return;
  const refuse = (message: string): never => {
    throw admissionRefusal(attributes, message);
  };
  const name = stringAt(pod, 'spec', 'serviceAccountName');
  if (isMirrorPod(pod)) {
    if (name !== '') refuse('a mirror pod may not reference service accounts');
    if (referencesSecrets(pod)) refuse('a mirror pod may not reference secrets');
    if (listAt(pod, 'spec', 'volumes').some(v => listAt(v, 'projected', 'sources').some(s => isMap(valueAt(s, 'serviceAccountToken'))))) {
      refuse('a mirror pod may not use ServiceAccountToken volume projections');
    }
    return;
  }
  if (name === '') refuse(`no service account specified for pod ${attributes.namespace}/${stringAt(pod, 'metadata', 'name')}`);
  const unlisted = mountableSecretsRefusal(pod, foundAccount(name, attributes, context));
  if (unlisted !== undefined) refuse(unlisted);
}

function referencesSecrets(pod: ValueMap): boolean {
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap(list => listAt(pod, 'spec', list));
  return (
    listAt(pod, 'spec', 'imagePullSecrets').length > 0 ||
    listAt(pod, 'spec', 'volumes').some(v => isMap(valueAt(v, 'secret'))) ||
    containers.some(
      c =>
        listAt(c, 'env').some(e => isMap(valueAt(e, 'valueFrom', 'secretKeyRef'))) ||
        listAt(c, 'envFrom').some(e => isMap(valueAt(e, 'secretRef'))),
    )
  );
}

const containerLists = [
  ['initContainers', 'init container'],
  ['containers', 'container'],
  ['ephemeralContainers', 'ephemeral container'],
] as const;

/**
 * Returns the reason why a pod may not use a secret that its service account does not list; undefined when it may, or when the account does
 * not enforce it by annotation. Source: kubernetes plugin/pkg/admission/serviceaccount limitSecretReferences.
 */
function mountableSecretsRefusal(pod: ValueMap, account: ValueMap): string | undefined {
  if (parseBool(stringAt(account, 'metadata', 'annotations', 'kubernetes.io/enforce-mountable-secrets')) !== true) return undefined;
  const listed = new Set(listAt(account, 'secrets').map(s => stringAt(s, 'name')));
  const because = `because service account ${stringAt(account, 'metadata', 'name')} does not reference that`;
  for (const volume of listAt(pod, 'spec', 'volumes')) {
    const name = stringAt(volume, 'secret', 'secretName');
    if (isMap(valueAt(volume, 'secret')) && !listed.has(name))
      return `volume with secret.secretName="${name}" is not allowed ${because} secret`;
  }
  for (const [list, message] of containerLists) {
    for (const container of listAt(pod, 'spec', list)) {
      const found = containerRefusal(container, message, listed);
      if (found !== undefined) return `${found} is not allowed ${because} secret`;
    }
  }
  const pullable = new Set(listAt(account, 'imagePullSecrets').map(s => stringAt(s, 'name')));
  const names = listAt(pod, 'spec', 'imagePullSecrets').map(s => stringAt(s, 'name'));
  const at = names.findIndex(name => !pullable.has(name));
  return at < 0 ? undefined : `imagePullSecrets[${at}].name="${names[at]}" is not allowed ${because} imagePullSecret`;
}

function containerRefusal(container: Value, message: string, listed: ReadonlySet<string>): string | undefined {
  const name = stringAt(container, 'name');
  for (const variable of listAt(container, 'env')) {
    const secret = stringAt(variable, 'valueFrom', 'secretKeyRef', 'name');
    if (isMap(valueAt(variable, 'valueFrom', 'secretKeyRef')) && !listed.has(secret)) {
      return `${message} ${name} with envVar ${stringAt(variable, 'name')} referencing secret.secretName="${secret}"`;
    }
  }
  for (const source of listAt(container, 'envFrom')) {
    const secret = stringAt(source, 'secretRef', 'name');
    if (isMap(valueAt(source, 'secretRef')) && !listed.has(secret))
      return `${message} ${name} with envFrom referencing secret.secretName="${secret}"`;
  }
  return undefined;
}
