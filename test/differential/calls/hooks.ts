import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { WebhookAnswer, WebhookCall } from '../../../src/kubernetes/webhook-call.js';
import { alternativeNames, ipName, makeCertificate } from '../../support/certificate-maker.js';
import type { Json, JsonObject, Scene } from './scene.js';
import { isObject, memberOf } from './scene.js';

/** A received review. */
export interface Review {
  readonly path: string;
  readonly body: string;
}

/** Webhooks on loopback that answer reviews by the script of the scene whose id occurs in them. */
export interface Hooks {
  readonly url: (path: string) => string;
  readonly caBundle: string;
  /** Starts the replies of a scene from the first. Reviews without the id of a scene belong to the scene named ''. */
  readonly start: (id: string, replies?: Scene['replies']) => Script;
  readonly close: () => void;
}

/** Replies and reviews of one call. */
export interface Script {
  /** Admission reviews since the start. */
  readonly reviews: readonly Review[];
  /** The same webhooks for the project, without a network. */
  readonly callWebhook: (call: WebhookCall) => Promise<WebhookAnswer>;
}

/** Matches the id of a scene, which all of its namespaces and cluster-scoped objects have in their names. */
export const sceneId = /x[0-9a-z]{8}s\d{6}/;

/** Starts the webhook server on a free port. */
export async function openHooks(): Promise<Hooks> {
  const scripts = new Map<string, { replies: Scene['replies']; reviews: Review[] }>();
  const answer = (path: string, body: string, id = sceneId.exec(body)?.[0] ?? ''): string => {
    const review = JSON.parse(body) as JsonObject;
    if (review['kind'] === 'ConversionReview') return JSON.stringify(converted(review));
    const script = scripts.get(id);
    // The API server creates additional objects, such as a service's addresses.
    const isOwn = memberOf(review, 'request', 'userInfo', 'username') === 'system:apiserver';
    if (isOwn || script === undefined) return answered(review, { allowed: true });
    const earlier = script.reviews.filter(r => r.path === path).length;
    script.reviews.push({ path, body });
    return answered(review, script.replies?.[path]?.[earlier] ?? { allowed: true });
  };
  const { server, caBundle } = await listen(answer);
  const { port } = server.address() as AddressInfo;
  return {
    url: path => `https://127.0.0.1:${port}${path}`,
    caBundle,
    start: (id, replies) => {
      const reviews: Review[] = [];
      scripts.delete(id);
      scripts.set(id, { replies, reviews });
      for (const old of [...scripts.keys()].slice(0, -maxScripts)) scripts.delete(old);
      return { reviews, callWebhook: call => Promise.resolve(replied(answer(new URL(call.url).pathname, call.body, id))) };
    },
    close: () => server.close(),
  };
}

/** More scenes are never played at a time. */
const maxScripts = 16;

function replied(text: string): WebhookAnswer {
  const body = Buffer.from(text);
  return { outcome: 'answered', statusCode: 200, headers: [['content-type', 'application/json']], body, durationMs: 1 };
}

function answered(review: JsonObject, response: JsonObject): string {
  const uid = memberOf(review, 'request', 'uid') ?? '';
  return JSON.stringify({ apiVersion: review['apiVersion'], kind: 'AdmissionReview', response: { uid, ...response } });
}

async function listen(answer: (path: string, body: string) => string): Promise<{ server: Server; caBundle: string }> {
  const root = makeCertificate({ isAuthority: true });
  const extensions = { '2.5.29.17': alternativeNames(ipName(127, 0, 0, 1)) };
  const leaf = makeCertificate({ issuer: root, extensions });
  const server = createServer({ cert: leaf.pem, key: leaf.keyPem }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      response.setHeader('Content-Type', 'application/json');
      response.end(answer((request.url ?? '').split('?', 1)[0] ?? '', Buffer.concat(chunks).toString('utf8')));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return { server, caBundle: Buffer.from(root.pem).toString('base64') };
}

/** Converts by moving `spec.size` of v1 to `spec.amount` of other versions and back. */
function converted(review: JsonObject): Json {
  const request = review['request'];
  const objects = memberOf(request, 'objects');
  const wanted = memberOf(request, 'desiredAPIVersion') ?? '';
  const convertedObjects = (Array.isArray(objects) ? objects : []).map(object => convertOne(object, String(wanted)));
  const response = { uid: memberOf(request, 'uid') ?? '', result: { status: 'Success' }, convertedObjects };
  return { apiVersion: review['apiVersion'] ?? '', kind: 'ConversionReview', response };
}

function convertOne(object: Json, apiVersion: string): Json {
  if (!isObject(object)) return object;
  const { spec } = object;
  const [from, to] = apiVersion.endsWith('/v1') ? ['amount', 'size'] : ['size', 'amount'];
  if (!isObject(spec)) return { ...object, apiVersion };
  const { [from]: moved, ...others } = spec;
  return { ...object, apiVersion, spec: moved === undefined ? others : { ...others, [to]: moved } };
}
