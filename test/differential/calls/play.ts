import { handleCall } from '../../../src/apiserver/handle-call.js';
import { effectsFor } from '../../../src/cli/effects.js';
import { installApiServer } from '../../../src/cli/install.js';
import { readUnstructured } from '../../../src/encoding/unstructured.js';
import { isMap, type ValueMap } from '../../../src/go/value.js';
import type { ClusterState } from '../../../src/kubernetes/api-call.js';
import type { Hooks } from './hooks.js';
import { bytesOf, memberOf, type Scene, type SceneRequest, withId } from './scene.js';
import { type Outcome, sendToServer, userAgent } from './server.js';
import { told } from './told.js';

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
  /** The scene with its names, and the objects that existed before the call, as JSON. */
  readonly scene: Scene;
  readonly objects: readonly string[];
}

installApiServer();

/** Later times are volatile. */
export const started: number = Math.floor(Date.now() / 1000) * 1000;

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
  const stored = texts(paths);
  const known = JSON.stringify([setup, call]) + stored.join('\n');
  hooks.start({ setup: [], call, replies });
  const answered = await sendToServer(call);
  const expected = told(answered, hooks.reviews(), known, started);
  // A refusal can be repeated: some are in random map order.
  const others =
    answered.status < 300
      ? []
      : await repeated(async () => {
          hooks.start({ setup: [], call, replies });
          return told(await sendToServer(call), hooks.reviews(), known, started);
        });
  hooks.start({ setup: [], call, replies });
  const produced = await project(call, state, hooks);
  const found = told(produced, hooks.reviews(), known, started);
  const objectTexts = stored.filter(text => text !== '');
  return {
    expected: others.includes(found) ? found : expected,
    found,
    status: answered.status,
    scene: { setup, call, replies },
    objects: objectTexts,
  };
}

async function repeated(again: () => Promise<string>): Promise<string[]> {
  const answers: string[] = [];
  for (let i = 0; i < 3; i += 1) answers.push(await again());
  return answers;
}

/** Makes a call in the project. */
export async function project(call: SceneRequest, state: ClusterState, hooks: Pick<Hooks, 'callWebhook'>): Promise<Outcome> {
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

function texts(paths: ReadonlySet<string>): string[] {
  const all = [...paths].map(path => read.get(path) ?? '');
  read.clear();
  return all;
}
