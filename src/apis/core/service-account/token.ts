import type { CallContext, VerbAnswer } from '../../../apiserver/call/call-context.js';
import { objectBody } from '../../../apiserver/handlers/object-answer.js';
import type { Posted, RestStorage } from '../../../apiserver/handlers/rest-storage.js';
import type { ApiObject } from '../../../apiserver/objects/api-object.js';
import type { TokenDemand } from '../../../apiserver/report/serving.js';
import { checkKey } from '../../../apiserver/storage/stored-object.js';
import { writeValue } from '../../../go/json/write.js';
import { quote } from '../../../go/quote.js';
import { ensureMap, isList, listAt, mapAt, stringAt, toValue, type Value, type ValueMap } from '../../../go/value.js';
import { type FieldError, invalidValue, notSupported } from '../../../kubernetes/field-error.js';
import { parseApiVersion } from '../../../kubernetes/group-version.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { badRequest, conflict, invalid, notFound } from '../../../kubernetes/status-errors.js';
import { timestampOf } from '../../../kubernetes/timestamp.js';
import { validatePosted } from '../pod/storage/posted-to-pod.js';

/** Tokens of service accounts. The uid of a request is a precondition. Source: kubernetes pkg/registry/core/serviceaccount/storage/token.go. */
export const serviceAccountToken: RestStorage = { create: issueToken, keepsSystemFields: true };

async function issueToken(object: ApiObject, { options }: Posted, context: CallContext): Promise<VerbAnswer> {
  const { info, storage, effects, endpoint } = context;
  checkKey(info.name, context);
  const metadata = ensureMap(object.value, 'metadata');
  const others = nameErrors(metadata, info);
  if (others.length > 0) throw invalid(tokenRequest, info.name, others);
  const account = storage.find({ group: '', kind: 'ServiceAccount' }, info.namespace, info.name);
  if (account === undefined) throw notFound(endpoint.resource, info.name);
  const uid = stringAt(account, 'metadata', 'uid');
  const claimed = stringAt(metadata, 'uid');
  if (claimed !== '' && claimed !== uid) {
    const why = `the UID in the token request (${claimed}) does not match the UID of the service account (${uid})`;
    throw conflict({ group: 'authentication.k8s.io', resource: 'TokenRequest' }, info.name, why);
  }
  metadata.set('name', info.name);
  metadata.set('uid', uid);
  metadata.set('creationTimestamp', timestampOf(effects.now()));
  const spec = ensureMap(object.value, 'spec');
  if (listAt(spec, 'audiences').length === 0) spec.set('audiences', [...context.state.options.apiAudiences]);
  object.value.delete('status');
  const errors = [...lifetimeErrors(spec), ...attestationErrors(spec, context)];
  if (errors.length > 0) throw invalid(tokenRequest, '', errors);
  await validatePosted(object, options, context);
  checkBoundObject(mapAt(spec, 'boundObjectRef'), context);
  const seconds = Number(spec.get('expirationSeconds') ?? 3600n);
  const expires = timestampOf(new Date(effects.now().getTime() + seconds * 1000));
  const token =
    context.serving?.issueToken?.({
      namespace: info.namespace,
      name: info.name,
      uid,
      audiences: listAt(spec, 'audiences').map(String),
      seconds,
      boundTo: boundObject(mapAt(spec, 'boundObjectRef'), context),
      now: effects.now(),
    }) ?? 'not-a-token';
  object.value.set('status', toValue({ token, expirationTimestamp: expires }));
  return objectBody(201, object);
}

const webhookTokens = 'APIServerWebhookAuthenticationToken';
const tokenRequest = { group: 'authentication.k8s.io', kind: 'TokenRequest' };

/** A body may name only the account of the path. */
function nameErrors(metadata: ValueMap, info: CallContext['info']): FieldError[] {
  const messageOn = (what: string): string => `must match the service account ${what} if specified`;
  const [name, namespace] = [stringAt(metadata, 'name'), stringAt(metadata, 'namespace')];
  if (name !== '' && name !== info.name) return [invalidValue('metadata.name', name, messageOn('name'))];
  return namespace !== '' && namespace !== info.namespace ? [invalidValue('metadata.namespace', namespace, messageOn('namespace'))] : [];
}

/** Source: authentication/validation ValidateTokenRequest. */
function lifetimeErrors(spec: ValueMap): FieldError[] {
  const seconds = spec.get('expirationSeconds');
  const refused = (message: string): FieldError[] => [
    invalidValue('spec.expirationSeconds', typeof seconds === 'bigint' ? seconds : 0n, message),
  ];
  if (typeof seconds === 'bigint' && seconds < 600n) return refused('may not specify a duration less than 10 minutes');
  return typeof seconds === 'bigint' && seconds > 1n << 32n ? refused('may not specify a duration larger than 2^32 seconds') : [];
}

const webhookKinds = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

/** Since v1.37 a token can be bound to a webhook. Source: authentication/validation validateWebhookAttestations. */
function attestationErrors(spec: ValueMap, { server }: CallContext): FieldError[] {
  if (!server.since('v1.37')) return [];
  const [path, attestations] = ['spec.attestations', mapAt(spec, 'attestations') ?? new Map<string, Value>()];
  const shown = { rawJson: writeValue(attestations.size === 0 ? null : attestations, 'sorted') };
  if (!isWebhook(mapAt(spec, 'boundObjectRef'))) {
    const message = 'attestations may only be specified with a webhook bound object reference';
    return attestations.size === 0 ? [] : [invalidValue(path, shown, message)];
  }
  const audiences = listAt(spec, 'audiences');
  const wrongAudiences =
    audiences.length === 1
      ? []
      : [
          invalidValue(
            'spec.audiences',
            { rawJson: writeValue([...audiences], 'sorted') },
            'must be length 1 when bound to a webhook config',
          ),
        ];
  if (attestations.size !== 1)
    return [
      ...wrongAudiences,
      invalidValue(path, shown, 'webhook bound requests require exactly one admissionReviewAPIGroups attestation'),
    ];
  return [...wrongAudiences, ...[...attestations].flatMap(([key, values]) => groupErrors(`${path}[${key}]`, key, values))];
}

const groupsKey = 'admissionReviewAPIGroups';

function groupErrors(path: string, key: string, values: Value): FieldError[] {
  if (key !== groupsKey) return [notSupported(path, key, [groupsKey])];
  if (!isList(values) || values.length !== 1)
    return [invalidValue(path, { rawJson: writeValue(values, 'sorted') }, 'must specify a single value')];
  const group = String(values[0]);
  if (group === '') return [invalidValue(`${path}[0]`, group, 'may not be an empty string')];
  if (group === '*') return [];
  return dns1123SubdomainProblems(group).map(problem => invalidValue(`${path}[0]`, group, problem));
}

function isWebhook(reference: ValueMap | undefined): boolean {
  return stringAt(reference, 'apiVersion') === 'admissionregistration.k8s.io/v1' && webhookKinds.includes(stringAt(reference, 'kind'));
}

function boundObject(reference: ValueMap | undefined, { info, storage }: CallContext): TokenDemand['boundTo'] {
  if (reference === undefined) return undefined;
  const [kind, name] = [stringAt(reference, 'kind'), stringAt(reference, 'name')];
  const found = storage.find({ group: '', kind }, kind === 'Node' ? '' : info.namespace, name);
  return { kind, name, uid: stringAt(found, 'metadata', 'uid') };
}

/** The object a token is bound to must exist. */
function checkBoundObject(reference: ValueMap | undefined, { info, storage }: CallContext): void {
  if (reference === undefined) return;
  const kind = stringAt(reference, 'kind');
  const name = stringAt(reference, 'name');
  const { group = '', version = '' } = parseApiVersion(stringAt(reference, 'apiVersion')) ?? {};
  const type = `${group === '' ? '' : group}/${version}, Kind=${kind}`;
  if (isWebhook(reference) && storage.server.since('v1.37') && !storage.server.isEnabled(webhookTokens))
    throw badRequest(`cannot bind token to object of type ${type} (feature gate ${webhookTokens} is disabled)`);
  if (group !== '' || !['Pod', 'Secret', 'Node'].includes(kind)) throw badRequest(`cannot bind token to object of type ${type}`);
  const found = storage.find({ group: '', kind }, kind === 'Node' ? '' : info.namespace, name);
  if (found === undefined) throw notFound({ group: '', resource: `${kind.toLowerCase()}s` }, name);
  if (kind === 'Pod' && stringAt(found, 'spec', 'serviceAccountName') !== info.name)
    throw badRequest(`cannot bind token for serviceaccount ${quote(info.name)} to pod running with different serviceaccount name.`);
  const [wanted, uid] = [stringAt(reference, 'uid'), stringAt(found, 'metadata', 'uid')];
  if (wanted === '' || wanted === uid) return;
  const why = `the UID in the bound object reference (${wanted}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflict({ group, resource: kind }, name, why);
}
