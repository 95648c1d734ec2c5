import { readUnstructured } from '../encoding/unstructured.js';
import { writeValue } from '../go/json/write.js';
import { quoteMeta } from '../go/quote-meta.js';
import { copyOf, isList, isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../go/value.js';
import type { ApiCall, ClusterState } from '../kubernetes/api-call.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import type { Effects } from '../kubernetes/effects.js';
import type { GroupVersionKind, GroupVersionResource } from '../kubernetes/group-version.js';
import { storageOf } from '../kubernetes/storage.js';
import type { CallWebhook } from '../kubernetes/webhook-call.js';
import type { Attributes, Operation } from './admission/attributes.js';
import { newCallRecord } from './admission/call-record.js';
import type { AdmissionContext, AdmissionPlugin } from './admission/chain.js';
import { convertForWebhook, convertToRequestVersion } from './call/convert-object.js';
import { servedBy } from './call/served-resources.js';
import { errorAnswer } from './filters/error-answer.js';
import { type AnsweredCall, reportOf, timedReport } from './filters/report-of.js';
import { userInfoOf } from './filters/user.js';
import { sentWarnings } from './filters/warnings.js';
import type { ApiObject } from './objects/api-object.js';
import { builtInCodec } from './objects/built-in-codec.js';
import { type Codec, DecodeError } from './objects/codec.js';
import type { Report } from './report/report.js';
import { mutatingWebhooks } from './webhooks/mutating.js';
import type { ReviewVersion } from './webhooks/review.js';
import { validatingWebhooks } from './webhooks/validating.js';

/** A review that an API server once sent. */
export interface CapturedReview {
  /** Body of the request. */
  readonly body: string;
  readonly version: ReviewVersion;
  /** `request` of the review. */
  readonly request: ValueMap;
  /** Path of the webhook, where it is known: for webhooks whose address has none. */
  readonly path: string | undefined;
  /** Send its own uid instead of a new one. */
  readonly keepsUid: boolean;
}

/**
 * Sends a captured review, as it is but for its uid, to every webhook of the state that would be called for it, and evaluates the answers as the
 * API server does. Nothing else of admission runs, but validating policies if `withPolicies` is set, and the object is not stored.
 */
export async function replayReview(
  captured: CapturedReview,
  state: ClusterState,
  effects: Effects,
  { withPolicies = false }: { readonly withPolicies?: boolean } = {},
): Promise<Report> {
  const { server } = state;
  const record = newCallRecord();
  const attributes = attributesOf(server, captured.request);
  const current = withReviewVersion(state, captured.version);
  const context: AdmissionContext = {
    server,
    state: current,
    storage: storageOf(current),
    resources: servedBy(current).resources,
    effects: { ...effects, callWebhook: sendingCaptured(captured, effects.callWebhook), uid: uidOf(captured, effects) },
    record,
    convert: (object, to) => convertForWebhook(object, to, undefined),
    toRequestVersion: (object, own) => convertToRequestVersion(object, own, undefined),
    reinvocation: { isReinvoke: false, shouldReinvoke: false },
    remainingMs: () => Number.POSITIVE_INFINITY,
  };
  const call = callOf(attributes);
  try {
    await mutatingWebhooks().admit?.(attributes, context);
    if (withPolicies) await policiesOf(state)?.validate?.(attributes, context);
    await validatingWebhooks().validate?.(attributes, context);
  } catch (error) {
    effects.steps?.fail(error instanceof Error ? error.message : String(error));
    return timedReport(reportOf(server, call, errorAnswer(server, error, undefined, record), record), effects);
  }
  return timedReport(reportOf(server, call, allowed(attributes, record.warnings), record), effects);
}

/** They run before validating webhooks. */
function policiesOf({ server, options }: ClusterState): AdmissionPlugin | undefined {
  const plugins = server.plugins(server, options, { mutating: mutatingWebhooks(), validating: validatingWebhooks() });
  return plugins.find(({ name }) => name === 'ValidatingAdmissionPolicy');
}

/** Returns the API call that led to a review, as far as the review shows it. */
export function callOfReview(server: ApiServer, { request }: CapturedReview): ApiCall {
  return callOf(attributesOf(server, request));
}

function callOf({ operation, resource, subresource, namespace, name, user }: Attributes): ApiCall {
  const root = resource.group === '' ? '/api' : `/apis/${resource.group}`;
  const parts = [
    ...(namespace === '' || resource.resource === 'namespaces' ? [] : ['namespaces', namespace]),
    resource.resource,
    ...(operation === 'CREATE' && subresource === '' ? [] : [name]),
    subresource,
  ];
  const { username, uid, groups, extra } = user;
  return {
    method: methods[operation],
    path: [root, resource.version, ...parts.filter(part => part !== '')].join('/'),
    user: { username, uid, groups, extra: Object.fromEntries(extra) },
  };
}

const methods: Readonly<Record<Operation, string>> = { CREATE: 'POST', UPDATE: 'PUT', DELETE: 'DELETE', CONNECT: 'POST' };

function attributesOf(server: ApiServer, request: ValueMap): Attributes {
  const kind = kindAt(mapAt(request, 'kind'));
  const user = mapAt(request, 'userInfo');
  const operation = stringAt(request, 'operation').toUpperCase();
  return {
    operation: isOperation(operation) ? operation : 'CREATE',
    kind,
    resource: resourceAt(mapAt(request, 'resource')),
    subresource: stringAt(request, 'subResource'),
    name: stringAt(request, 'name') || stringAt(request, 'object', 'metadata', 'name'),
    namespace: stringAt(request, 'namespace'),
    object: objectAt(server, request.get('object'), kind),
    oldObject: objectAt(server, request.get('oldObject'), kind),
    options: undefined,
    dryRun: request.get('dryRun') === true,
    user: userInfoOf({
      username: stringAt(user, 'username'),
      uid: stringAt(user, 'uid'),
      groups: listAt(user, 'groups').map(String),
      extra: Object.fromEntries([...(mapAt(user, 'extra') ?? [])].map(([key, values]) => [key, isList(values) ? values.map(String) : []])),
    }),
  };
}

function isOperation(text: string): text is Operation {
  return Object.hasOwn(methods, text);
}

function kindAt(kind: ValueMap | undefined): GroupVersionKind {
  return { group: stringAt(kind, 'group'), version: stringAt(kind, 'version'), kind: stringAt(kind, 'kind') };
}

function resourceAt(resource: ValueMap | undefined): GroupVersionResource {
  return { group: stringAt(resource, 'group'), version: stringAt(resource, 'version'), resource: stringAt(resource, 'resource') };
}

/** Hand-made reviews have objects that no API server would send: those are taken as they are. */
function objectAt(server: ApiServer, object: Value | undefined, kind: GroupVersionKind): ApiObject | undefined {
  if (!isMap(object) || object.size === 0) return undefined;
  const text = writeValue(object, 'kept');
  for (const codec of [builtInCodec(server, kind), plainCodec(server, kind)]) {
    try {
      if (codec === undefined) continue;
      const { value } = codec.decode(text);
      // Every API server has done so; without it, the defaults of the patched object would look like changes of the webhook.
      codec.setDefaults(value);
      return { codec, value };
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
    }
  }
  return undefined;
}

/** Codec of a kind without a known type: neither prunes nor defaults. */
function plainCodec(server: ApiServer, kind: GroupVersionKind): Codec {
  const unchanged = (): void => {};
  return {
    kind,
    server,
    decode: text => {
      const value = readUnstructured(text);
      if (!isMap(value)) throw new DecodeError('the object is not a map');
      return { value, strictErrors: [] };
    },
    applyDefaults: unchanged,
    setDefaults: unchanged,
    throughInternal: unchanged,
    encode: value => writeValue(value, 'kept'),
    toUnstructured: value => copyOf(value),
  };
}

/** The webhooks get the review in its own version, whatever they are registered with. */
function withReviewVersion(state: ClusterState, version: ReviewVersion): ClusterState {
  const objects = state.objects.map(object => {
    if (!/^(?:Mutating|Validating)WebhookConfiguration$/.test(stringAt(object, 'kind'))) return object;
    const webhooks = listAt(object, 'webhooks').map(webhook =>
      isMap(webhook) ? new Map<string, Value>([...webhook, ['admissionReviewVersions', [version]]]) : webhook,
    );
    return new Map<string, Value>([...object, ['webhooks', webhooks]]);
  });
  return { ...state, objects };
}

function uidOf({ keepsUid, request }: CapturedReview, effects: Effects): () => string {
  return keepsUid ? () => stringAt(request, 'uid') : effects.uid;
}

function sendingCaptured({ body, path, request }: CapturedReview, callWebhook: CallWebhook): CallWebhook {
  const own = stringAt(request, 'uid');
  return (call, onStage) => {
    const uid = stringAt(readUnstructured(call.body), 'request', 'uid');
    return callWebhook({ ...call, url: withPath(call.url, path), body: withUid(body, own, uid) }, onStage);
  };
}

/** An address without a path is that of a server: the review goes where it went. */
function withPath(url: string, path: string | undefined): string {
  const address = new URL(url);
  if (path === undefined || address.pathname !== '/') return url;
  return `${address.origin}${path.split('?', 1)[0]}${address.search}`;
}

/** The uid of the review is its first member of that name that has this value. */
function withUid(body: string, own: string, uid: string): string {
  const at = new RegExp(`("uid"\\s*:\\s*)${quoteMeta(JSON.stringify(own))}`).exec(body);
  return at === null ? body : `${body.slice(0, at.index)}${at[1]}${JSON.stringify(uid)}${body.slice(at.index + at[0].length)}`;
}

function allowed({ object, oldObject }: Attributes, warnings: readonly string[]): AnsweredCall {
  const shown = object ?? oldObject;
  const body =
    shown === undefined ? '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}' : shown.codec.encode(shown.value);
  return { answer: { status: 200, warnings: sentWarnings(warnings), headers: {}, contentType: 'application/json', body: `${body}\n` } };
}
