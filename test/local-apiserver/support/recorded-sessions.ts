import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueServingPair } from '../../../src/certificates/issue.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { stateOf } from '../../../src/client/manifests/cluster-state.js';
import { readUnstructured } from '../../../src/encoding/unstructured.js';
import { isMap, listAt } from '../../../src/go/value.js';
import { flagValues, serverOptions } from '../../../src/kubernetes/server-options.js';
import { type RunningApiServer, startApiServer } from '../../../src/local-apiserver/start-server.js';
import { createTransport } from '../../../src/transport/call-webhook.js';
import { readRecordedText } from '../../support/recorded-text.js';
import { root } from '../../support/run-command.js';
import { serverWith } from '../../support/server.js';
import { play } from './play.js';
import type { Script, Session } from './session.js';

const sessions = JSON.parse(readRecordedText(path.join(root, 'fixtures/corpus/apiserver.json'))) as Session[];

/** Topics of the sessions, in groups that take about as long. Test files run in parallel. */
export const topicGroups = {
  'kinds and lists': ['http-kinds', 'http-lists', 'http-flags'],
  'writes and users': ['http-writes', 'http-users', 'http-admission', 'http-custom'],
  'watches and discovery': ['http-watch', 'http-discovery', 'http-protobuf', 'http-forms'],
} as const;

/** Declares one test per session of a group: the local API server answers as the recorded one did. */
export function playSessions(group: keyof typeof topicGroups): void {
  const topics: readonly string[] = topicGroups[group];
  let played: PlayedWith;
  beforeAll(async () => {
    played = await startedHooks();
  });
  afterAll(() => played.close());

  describe(`the local API server answers as the recorded one did: ${group}`, () => {
    it('has sessions of all topics, and every session has a group', () => {
      const known = new Set(sessions.map(topicOf));
      expect(topics.filter(topic => !known.has(topic))).toEqual([]);
      expect([...known].filter(topic => !Object.values<readonly string[]>(topicGroups).flat().includes(topic))).toEqual([]);
    });

    for (const session of sessions.filter(each => topics.includes(topicOf(each)))) {
      const declare = isWaiting(session) ? it.concurrent : it;
      declare(session.name, { timeout: 60_000 }, async () => {
        expect(await played.play(session)).toBeUndefined();
      });
    }
  });
}

/** Watches wait for events and for their ends: they run at the same time, each with a server of its own, and call no webhooks. */
function isWaiting(session: Session): boolean {
  return topicOf(session) === 'http-watch';
}

function topicOf({ name }: Session): string {
  return name.split('/', 1)[0] ?? '';
}

/** The webhooks of sessions, and servers that call them. */
interface PlayedWith {
  readonly play: (session: Session) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

async function startedHooks(): Promise<PlayedWith> {
  const pair = await issueServingPair({ dns: [], ips: ['127.0.0.1'] }, new Date());
  const hooksCa = Buffer.from(pair.ca).toString('base64');
  const scripts = new Map<string, Script>();
  const servers = new Map<string, Promise<RunningApiServer>>();
  const hooks = createServer({ cert: pair.cert, key: pair.key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      const script = scripts.get((request.url ?? '').split('?', 1)[0] ?? '') ?? { response: { allowed: true } };
      const answer = (): void => {
        response.writeHead(script.status ?? 200, { 'Content-Type': 'application/json' });
        response.end(answerOf(script, JSON.parse(Buffer.concat(chunks).toString())));
      };
      if (script.delay === undefined) answer();
      else setTimeout(answer, script.delay * 1000);
    });
  });
  await new Promise<void>(resolve => hooks.listen(0, '127.0.0.1', resolve));
  const hooksUrl = `https://127.0.0.1:${(hooks.address() as AddressInfo).port}`;
  return {
    play: async session => {
      scripts.clear();
      for (const [path, script] of Object.entries(session.hooks ?? {})) scripts.set(path, script);
      // Some sessions do not remove definitions, which would be in discovery.
      const key = JSON.stringify([isWaiting(session) ? session.name : topicOf(session), session.flags, session.state]);
      const server = servers.get(key) ?? startedServer(session, { pair, hooksUrl, hooksCa });
      servers.set(key, server);
      const { url } = await server;
      return play(session, { url, ca: pair.ca, token: 'secret-of-the-test', hooks: hooksUrl, hooksCa });
    },
    close: async () => {
      for (const server of servers.values()) await (await server).close();
      hooks.closeAllConnections();
      await new Promise(resolve => hooks.close(resolve));
    },
  };
}

interface Hooks {
  readonly pair: Awaited<ReturnType<typeof issueServingPair>>;
  readonly hooksUrl: string;
  readonly hooksCa: string;
}

async function startedServer(session: Session, { pair, hooksUrl, hooksCa }: Hooks): Promise<RunningApiServer> {
  const transport = createTransport({ keepConnections: true });
  const surroundings = { uid: () => crypto.randomUUID(), now: () => new Date() };
  const texts = (session.state ?? []).map(text => text.replaceAll('{{hooks}}', hooksUrl).replaceAll('{{CA}}', hooksCa));
  const objects = texts.flatMap(text => listAt(readUnstructured(text), 'items').filter(isMap));
  const flags = session.flags ?? [];
  const server = serverWith(flags);
  const state = stateOf(objects, { options: serverOptions(flagValues(flags)), server, presumesNamespaces: false }, surroundings);
  const users = [{ username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'], token: 'secret-of-the-test' }];
  const effects = () => effectsFor(transport.callWebhook);
  return startApiServer({ server, host: '127.0.0.1', port: 0, pair, objects: state.objects, options: state.options, users, effects });
}

interface Review {
  readonly apiVersion: string;
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: readonly object[] };
}

function answerOf(script: Script, { apiVersion, request }: Review): string {
  if (script.convert !== undefined) {
    const convertedObjects = request.objects.map(object => ({ ...object, apiVersion: request.desiredAPIVersion }));
    return JSON.stringify({
      apiVersion,
      kind: 'ConversionReview',
      response: { uid: request.uid, convertedObjects, result: { status: 'Success' } },
    });
  }
  if (script.response === undefined) return script.body ?? '';
  const { operations, ...response } = script.response;
  const patch =
    operations === undefined ? {} : { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') };
  return JSON.stringify({ apiVersion, kind: 'AdmissionReview', response: { ...response, ...patch, uid: request.uid } });
}
