import { handleCall } from '../../../src/apiserver/handle-call.js';
import { effectsFor } from '../../../src/cli/effects.js';
import { installApiServer } from '../../../src/cli/install.js';
import { readUnstructured } from '../../../src/encoding/unstructured.js';
import { isMap, type ValueMap } from '../../../src/go/value.js';
import type { ClusterState } from '../../../src/kubernetes/api-call.js';
import type { Hooks, Review } from './hooks.js';
import { bytesOf, memberOf, type Scene, type SceneRequest, withId } from './scene.js';
import { type Outcome, sendToServer, userAgent } from './server.js';

/** Common setup of all scenes of a run. */
export interface Stage {
  readonly hooks: Hooks;
  /** Paths of shared objects: definitions, webhook configurations. */
  readonly shared: readonly string[];
  readonly flags: readonly string[];
}

/** Result of one scene on both sides. */
export interface Played {
  readonly expected: string;
  readonly found: string;
  /** Status of the server's answer. */
  readonly status: number;
}

installApiServer();

let scenes = 0;
const run = Date.now().toString(36);

/** Plays a scene at the server, then in the project. Undefined when a request of its setup was refused. */
export async function play(scene: Scene, { hooks, shared, flags }: Stage): Promise<Played | undefined> {
  scenes += 1;
  const { setup, call, replies = {} } = withId(scene, `x${run}${scenes}`);
  hooks.start({ setup: [], call });
  const paths = new Set<string>(shared);
  for (const request of setup) {
    const made = await sendToServer(request);
    if (made.status >= 300) return undefined;
    paths.add(pathOfObject(request, made.body));
  }
  const objects = await Promise.all([...paths].map(objectAt));
  const state: ClusterState = { objects: objects.filter(o => o !== undefined), presumesNamespaces: false, flags };
  const known = JSON.stringify([setup, call]) + (await texts(paths));
  hooks.start({ setup: [], call, replies });
  const answered = await sendToServer(call);
  const expected = told(answered, hooks.reviews(), known);
  // A refusal can be repeated: some are in random map order.
  const others =
    answered.status < 300
      ? []
      : await repeated(async () => {
          hooks.start({ setup: [], call, replies });
          return told(await sendToServer(call), hooks.reviews(), known);
        });
  hooks.start({ setup: [], call, replies });
  const produced = await project(call, state, hooks);
  const found = told(produced, hooks.reviews(), known);
  return { expected: others.includes(found) ? found : expected, found, status: answered.status };
}

async function repeated(again: () => Promise<string>): Promise<string[]> {
  const answers: string[] = [];
  for (let i = 0; i < 3; i += 1) answers.push(await again());
  return answers;
}

async function project(call: SceneRequest, state: ClusterState, hooks: Hooks): Promise<Outcome> {
  try {
    const { headers, user, method, path } = call;
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
  if (method !== 'POST') return plain;
  return `${plain}/${String(memberOf(JSON.parse(body), 'metadata', 'name'))}`;
}

const read = new Map<string, string>();

async function objectAt(path: string): Promise<ValueMap | undefined> {
  const { status, body } = await sendToServer({ method: 'GET', path });
  read.set(path, body);
  const value = status === 200 ? readUnstructured(body) : undefined;
  return value !== undefined && isMap(value) ? value : undefined;
}

function texts(paths: ReadonlySet<string>): string {
  const all = [...paths].map(path => read.get(path) ?? '').join('\n');
  read.clear();
  return all;
}

/**
 * Returns status, warnings, body and reviews as text, without random values and times. Reviews of validating webhooks, which run in
 * parallel, are sorted.
 */
function told({ status, warnings, body }: Outcome, reviews: readonly Review[], known: string): string {
  const validating = (review: Review): boolean => review.path.startsWith('/v');
  const ordered = [...reviews.filter(r => !validating(r)), ...reviews.filter(validating).sort((a, b) => (a.path < b.path ? -1 : 1))];
  const answer = body.trimEnd().replaceAll(/"resourceVersion": ?"\d+"|"continue": ?"[\w-]+"/g, '"?"');
  const lines = [`${status} ${JSON.stringify(warnings)}`, answer, ...ordered.map(r => `${r.path} ${r.body}`)];
  return steady(lines.join('\n'), known);
}

const random = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
  /"resourceVersion": ?"\d+"/g,
  /kube-api-access-[a-z0-9]{5}/g,
  /\b10\.0\.\d+\.\d+\b|"nodePort":3\d{4}|"healthCheckNodePort":3\d{4}/g,
  /(?<=gen-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g,
];

/** Replaces everything that looks random and is not in the inputs by `?`. */
function steady(text: string, known: string): string {
  const timeless = text.replace(times, time => (Date.parse(time) >= started ? '?' : time));
  return random.reduce((now, pattern) => now.replace(pattern, word => (known.includes(word) ? word : '?')), timeless);
}

/** Times during this run are volatile. */
const started = Math.floor(Date.now() / 1000) * 1000;
const times = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
