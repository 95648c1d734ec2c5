import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueServingPair } from '../../src/certificates/issue-serving-pair.js';
import { effectsFor } from '../../src/cli/effects.js';
import { serverFlags } from '../../src/cli/input/server-flags.js';
import { stateOf } from '../../src/client/manifests/cluster-state.js';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import { isMap, listAt } from '../../src/go/value.js';
import { type RunningApiServer, startApiServer } from '../../src/local-apiserver/start-server.js';
import { createTransport } from '../../src/transport/call-webhook.js';
import { serverWith } from '../support/server.js';
import { play } from './support/play.js';
import type { Script, Session } from './support/session.js';

const sessions = JSON.parse(
  gunzipSync(readFileSync(new URL('../../fixtures/corpus/apiserver.json.gz', import.meta.url))).toString('utf8'),
) as Session[];

const pair = issueServingPair({ dns: [], ips: ['127.0.0.1'] }, new Date());
const bundle = Buffer.from(pair.ca).toString('base64');
const scripts = new Map<string, Script>();
const servers = new Map<string, RunningApiServer>();
let hooks: Server;

beforeAll(async () => {
  hooks = createServer({ cert: pair.cert, key: pair.key }, (request, response) => {
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
});

afterAll(async () => {
  for (const server of servers.values()) await server.close();
  hooks.closeAllConnections();
  await new Promise(resolve => hooks.close(resolve));
});

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

async function serverFor(session: Session): Promise<RunningApiServer> {
  // Some sessions do not remove definitions, which would be in discovery.
  const key = JSON.stringify([session.name.split('/', 1), session.flags, session.state]);
  const known = servers.get(key);
  if (known !== undefined) return known;
  const transport = createTransport({ keepConnections: true });
  const surroundings = { uid: () => crypto.randomUUID(), now: () => new Date() };
  const texts = (session.state ?? []).map(text => text.replaceAll('{{hooks}}', hooksUrl()).replaceAll('{{CA}}', bundle));
  const objects = texts.flatMap(text => listAt(readUnstructured(text), 'items').filter(isMap));
  const named = (flag: string): string[] =>
    (session.flags ?? []).filter(f => f.startsWith(`--${flag}=`)).map(f => f.slice(flag.length + 3));
  const flags = {
    kubernetesVersion: undefined,
    enableAdmissionPlugins: named('enable-admission-plugins'),
    disableAdmissionPlugins: named('disable-admission-plugins'),
  };
  const ofServer = serverFlags(flags);
  const apiServer = serverWith(ofServer);
  const state = stateOf(objects, { flags: ofServer, server: apiServer, presumesNamespaces: false }, surroundings);
  const users = [{ username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'], token: 'secret-of-the-test' }];
  const effects = () => effectsFor(transport.callWebhook);
  const server = await startApiServer({
    server: apiServer,
    host: '127.0.0.1',
    port: 0,
    pair,
    objects: state.objects,
    flags: state.flags,
    users,
    effects,
  });
  servers.set(key, server);
  return server;
}

function hooksUrl(): string {
  return `https://127.0.0.1:${(hooks.address() as AddressInfo).port}`;
}

describe('the local API server answers as the recorded one did', () => {
  for (const session of sessions) {
    it(session.name, { timeout: 60_000 }, async () => {
      scripts.clear();
      for (const [path, script] of Object.entries(session.hooks ?? {})) scripts.set(path, script);
      const server = await serverFor(session);
      const target = { url: server.url, ca: pair.ca, token: 'secret-of-the-test', hooks: hooksUrl(), hooksCa: bundle };
      expect(await play(session, target)).toBeUndefined();
    });
  }
});
