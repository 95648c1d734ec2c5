import { builtInCodec } from '../../apiserver/objects/built-in-codec.js';
import { DecodeError } from '../../apiserver/objects/codec.js';
import { decodeTyped } from '../../apiserver/objects/decode-typed.js';
import { interpretDocument } from '../../apiserver/objects/interpret-document.js';
import { notRegistered } from '../../apiserver/objects/not-registered.js';
import { yamlToJson } from '../../encoding/yaml.js';
import { goString } from '../../go/json/write.js';
import { ownMember } from '../../go/own-members.js';
import { decodeUtf8Bytes } from '../../go/utf8.js';
import { ensureMap, isRawJson, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { apiVersionOf, type GroupVersionKind } from '../../kubernetes/group-version.js';
import { structNamed } from '../../kubernetes/type-table.js';
import { reviewResponseText } from '../admission/encode-review.js';
import { createPatch, createPatchText } from '../api/create-patch.js';
import type { AdmissionResponse } from '../api/types.js';
import { goTypes } from '../go-types.js';
import { ConnectionAborted, errorResponse, type HttpRequest, type HttpResponse, headerOfMessage, sniffedText } from '../http/message.js';
import type { InjectorConfiguration } from './configuration.js';
import { type InjectorNames, injectPod } from './inject-pod.js';
import { decodePod, encodePod } from './pods.js';
import { needsInjection } from './policy.js';

const maxBodyBytes = 6 * 1024 * 1024;

/** State of an injector at the time of a request. */
export interface InjectorState {
  readonly config: InjectorConfiguration;
  readonly values: Value;
  readonly revision: string;
  readonly names: InjectorNames;
}

/**
 * Answers a review like Istio's injector. Rejects with ConnectionAborted where it panics. Source: istio pkg/kube/inject webhook.go
 * serveInject.
 */
export async function answerInjection(request: HttpRequest, state: InjectorState): Promise<HttpResponse> {
  const { bytes, complete, error } = request.hasBody
    ? await request.readBody(maxBodyBytes)
    : { bytes: new Uint8Array(), complete: true, error: undefined };
  if (error !== undefined) return errorResponse(400, error);
  if (!complete) return errorResponse(400, `Request entity too large: limit is ${maxBodyBytes}`);
  if (bytes.length === 0) return errorResponse(400, 'no body found');
  if (headerOfMessage(request.headers, 'content-type') !== 'application/json')
    return errorResponse(415, 'invalid Content-Type, want `application/json`');
  let review: Review;
  try {
    review = decodedReview(decodeUtf8Bytes(bytes));
  } catch (failure) {
    return sniffedText(`{"response":${reviewResponseText(refused(failure))}}`);
  }
  const { kind, request: asked } = review;
  if (asked === undefined) throw new ConnectionAborted('the AdmissionReview has no request');
  const response = await answerInjectionRequest(asked, { state, path: request.target.path });
  const type = `"kind":${goString(kind.kind)},"apiVersion":${goString(apiVersionOf(kind))}`;
  return sniffedText(`{${type},"response":${reviewResponseText({ ...response, uid: stringAt(asked, 'uid') })}}`);
}

function refused(failure: unknown): AdmissionResponse {
  return { allowed: false, status: { message: failure instanceof Error ? failure.message : String(failure) } };
}

interface Review {
  readonly kind: GroupVersionKind;
  readonly request: ValueMap | undefined;
}

function decodedReview(sent: string): Review {
  const text = /^\s*\{/.test(sent) ? sent : yamlToJson(sent);
  const { kind, node } = interpretDocument(text);
  if (kind.kind === '') throw new DecodeError(`Object 'Kind' is missing in '${sent}'`);
  if (kind.version === '') throw new DecodeError(`Object 'apiVersion' is missing in '${sent}'`);
  const isReview = kind.group === 'admission.k8s.io' && kind.kind === 'AdmissionReview' && ['v1', 'v1beta1'].includes(kind.version);
  // The injector knows only the core group of Kubernetes' own kinds.
  const codec = isReview || (kind.group === '' && kind.version === 'v1') ? builtInCodec(goTypes, kind) : undefined;
  if (codec === undefined) throw new DecodeError(notRegistered(goTypes, kind));
  if (!isReview) {
    codec.decode(text, node);
    throw new DecodeError(`unsupported type :&TypeMeta{Kind:${kind.kind},APIVersion:${apiVersionOf(kind)},}`);
  }
  const { value } = decodeTyped(text, structNamed(goTypes, `admission/${kind.version}.AdmissionReview`), node);
  return { kind, request: mapAt(value, 'request') };
}

async function answerInjectionRequest(
  request: ValueMap,
  { state, path }: { readonly state: InjectorState; readonly path: string },
): Promise<AdmissionResponse> {
  try {
    const object = request.get('object');
    const pod = decodePod(isRawJson(object) ? (object.sent ?? object.rawJson) : '');
    const metadata = ensureMap(pod, 'metadata');
    metadata.delete('managedFields');
    const namespace = stringAt(request, 'namespace');
    if (stringAt(metadata, 'namespace') === '' && namespace !== '') metadata.set('namespace', namespace);
    if (!needsInjection(pod, state.names.prefix, state.config)) return { allowed: true };
    const original = encodePod(pod);
    const injected = await injectPod(pod, { ...state, settings: settingsOfPath(path) });
    return { allowed: true, patch: createPatchText(createPatch(original, encodePod(injected))), patchType: 'JSONPatch' };
  } catch (failure) {
    return refused(failure);
  }
}

const knownNames: Readonly<Record<string, string>> = { cluster: 'ISTIO_META_CLUSTER_ID', net: 'ISTIO_META_NETWORK' };

/** Returns the environment variables set by a request's path: `/inject/cluster/c1/net/n1`. Source: istio webhook.go parseInjectEnvs. */
function settingsOfPath(path: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  const parts = partsOf(path.endsWith('/') ? path.slice(0, -1) : path);
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const key = parts[i] ?? '';
    const name = ownMember(knownNames, key) ?? key.toUpperCase();
    if (name !== '') settings.set(name, parts[i + 1] ?? '');
  }
  return settings;
}

function partsOf(path: string): string[] {
  const second = path.indexOf('/', path.indexOf('/') + 1);
  if (!path.includes('/') || second < 0) return [];
  const rest = path.slice(second + 1);
  if (rest.startsWith(':ENV:')) {
    return rest
      .split(':ENV:')
      .slice(1)
      .flatMap(pair => (pair.indexOf('=') > 0 ? [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] : []));
  }
  return rest.split('/').map((part, i) => (i % 2 === 1 ? part.replaceAll('--slash--', '/') : part));
}
