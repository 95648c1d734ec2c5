import { setTimeout } from 'node:timers/promises';
import { authorizerOf } from '../../../src/apiserver/authorization/authorizer-of.js';
import { userInfoOf } from '../../../src/apiserver/filters/user.js';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { writeStatus } from '../../../src/encoding/status-json.js';
import { readUnstructured } from '../../../src/encoding/unstructured.js';
import { isMap } from '../../../src/go/value.js';
import type { ClusterState, RequestedUser } from '../../../src/kubernetes/api-call.js';
import { flagValues, serverOptions } from '../../../src/kubernetes/server-options.js';
import { storageOf } from '../../../src/kubernetes/storage.js';
import { refusalOfRequest } from '../../../src/local-apiserver/access/authorization.js';
import { questionOf } from '../../../src/local-apiserver/access/request-attributes.js';
import { serverWith } from '../../support/server.js';
import { haveSameErrors } from './errors-in-any-order.js';
import type { Hooks, Script } from './hooks.js';
import { bytesOf, memberOf, type Scene, type SceneRequest, withId } from './scene.js';
import { type Outcome, sendToServer, userAgent } from './server.js';
import { told } from './told.js';

/** Common setup of all scenes of a run. */
export interface Stage {
  readonly hooks: Hooks;
  /** Shared objects as JSON: definitions, webhook configurations. */
  readonly shared: readonly string[];
  readonly flags: readonly string[];
}

/** Result of one scene on both sides. */
export interface Played {
  readonly expected: string;
  readonly found: string;
  /** Status of the server's answer. */
  readonly status: number;
  /** The scene with its names, and the objects that existed before the call, as JSON. */
  readonly scene: Scene;
  readonly objects: readonly string[];
}

/** Later times are volatile. */
export const started: number = Math.floor(Date.now() / 1000) * 1000;

let scenes = 0;
const run = Date.now().toString(36).padStart(8, '0').slice(-8);

/** Plays a scene at the server, then in the project. Undefined when a request of its setup was refused. */
export async function play(scene: Scene, { hooks, shared, flags }: Stage): Promise<Played | undefined> {
  scenes += 1;
  const id = `x${run}s${String(scenes).padStart(6, '0')}`;
  const { setup, call: given, replies = {}, pause = 0 } = withId(scene, id);
  const call = { ...given, user: userOf(given, id) };
  const made = await prepared(setup, pause);
  if (made === undefined) return undefined;
  const stored = [...shared, ...made];
  const state: ClusterState = {
    objects: stored.map(readUnstructured).filter(isMap),
    presumesNamespaces: false,
    options: serverOptions(flagValues(flags)),
    server: serverWith(flags),
  };
  const known = JSON.stringify([setup, call]) + stored.join('\n');
  const ask = async (): Promise<{ answered: Outcome; text: string }> => {
    const script = hooks.start(id, replies);
    const answered = await sendToServer(call);
    return { answered, text: told(answered, script.reviews, known, started) };
  };
  const { answered, text } = await ask();
  const script = hooks.start(id, replies);
  const produced = told(await project(call, state, script), script.reviews, known, started);
  const isSame = haveSameErrors(text, produced) || (answered.status >= 300 && (await recurs(produced, async () => (await ask()).text)));
  return {
    expected: isSame ? produced : text,
    found: produced,
    status: answered.status,
    scene: { setup, call, replies, pause },
    objects: stored,
  };
}

/** Makes the setup's requests, and returns the objects that exist then, as JSON; undefined if one was refused. */
async function prepared(setup: readonly SceneRequest[], pause: number): Promise<string[] | undefined> {
  const objects = new Map<string, string | undefined>();
  for (const request of setup) {
    const { status, body } = await sendWhenServed(request);
    if (status === 0 || status >= 300) return undefined;
    // Definitions get a status, and a custom resource may be shown differently when it is created and when it is read.
    const isShown = request.method === 'POST' && !/dryRun=|\.example\.com\/|\/customresourcedefinitions/.test(request.path);
    objects.set(pathOfObject(request, body), isShown ? body : undefined);
    // A plugin may have created the namespace.
    const namespace = /\/namespaces\/([^/?]+)\//.exec(request.path)?.[1];
    const at = `/api/v1/namespaces/${namespace}`;
    if (namespace !== undefined && !objects.has(at)) objects.set(at, undefined);
  }
  if (pause > 0) await setTimeout(pause);
  const read = await Promise.all([...objects].map(async ([path, text]) => ({ path, text: text ?? (await objectAt(path)) })));
  const existing = read.filter((object): object is Stored => object.text !== undefined);
  await untilCached(existing.at(-1));
  return existing.map(({ text }) => text);
}

/** Waits until the definition of a custom resource is in effect. */
async function sendWhenServed(request: SceneRequest): Promise<Outcome> {
  const isCustom = request.path.includes('.example.com/');
  let outcome = await sendToServer(request);
  for (let tries = 0; isCustom && outcome.status === 404 && tries < 40; tries += 1) {
    await setTimeout(300);
    outcome = await sendToServer(request);
  }
  return outcome;
}

interface Stored {
  readonly path: string;
  readonly text: string;
}

/** Waits until the server's watch cache has an object: an update of an older one would be admitted twice. */
async function untilCached(stored: Stored | undefined): Promise<void> {
  const version = stored === undefined ? undefined : memberOf(JSON.parse(stored.text), 'metadata', 'resourceVersion');
  if (version !== undefined) await sendToServer({ method: 'GET', path: `${stored?.path}?resourceVersion=${String(version)}` });
}

/** The user of a call; the id of the scene in it makes every review recognizable. */
function userOf({ user = administrator }: SceneRequest, id: string): RequestedUser {
  return { ...user, extra: { ...user.extra, scene: [id] } };
}

const administrator: RequestedUser = { username: 'kubernetes-admin', groups: ['system:masters'] };

/** Reports whether repeated calls lead to the expected refusal: map order is random, and the server's caches may not have the setup yet. */
async function recurs(produced: string, again: () => Promise<string>): Promise<boolean> {
  for (let i = 0; i < 10; i += 1) {
    await setTimeout(i < 3 ? i * 150 : 0);
    if ((await again()) === produced) return true;
  }
  return false;
}

/** Makes a call in the project: authorized, if the server uses RBAC, as in front of the local API server. */
export async function project(call: SceneRequest, state: ClusterState, hooks: Pick<Script, 'callWebhook'>): Promise<Outcome> {
  try {
    const { headers, user, method, path } = call;
    if (state.options.authorizationModes.has('RBAC')) {
      const authorizer = authorizerOf({ state, storage: storageOf(state), record: { notes: [] } });
      const refusal = refusalOfRequest(questionOf({ method, url: path }, userInfoOf(user)), authorizer);
      if (refusal !== undefined) return { status: 403, warnings: [], body: writeStatus({ ...refusal.status, code: 403 }) };
    }
    const body = bytesOf(call);
    const contentType = body === undefined ? undefined : (call.contentType ?? 'application/json');
    const asked = { method, path, contentType, body, headers, user, userAgent };
    return (await handleCall(asked, state, effectsFor(hooks.callWebhook))).answer;
  } catch (error) {
    return { status: -1, warnings: [], body: String(error) };
  }
}

/** The path of an object that a request made or changed; a POST answers with its name. */
function pathOfObject({ method, path }: SceneRequest, body: string): string {
  const plain = path.split('?', 1)[0] ?? '';
  if (method !== 'POST') return plain.replace(/\/(status|scale|approval|resize|ephemeralcontainers)$/, '');
  return `${plain}/${String(memberOf(JSON.parse(body), 'metadata', 'name'))}`;
}

/** The object at a path as JSON; undefined if there is none. */
export async function objectAt(path: string): Promise<string | undefined> {
  const { status, body } = await sendToServer({ method: 'GET', path });
  return status === 200 ? body : undefined;
}
