import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Fuzz from '../../commands/fuzz.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { manifestsText, searchFor } from './planted-manifests.js';
import { plantedSecrets } from './planted-secrets.js';

const planted = plantedSecrets(8);
/** Secrets of the webhook itself, which show by their form what they are. */
const own = plantedSecrets(9).filter(({ secret, data }) => data !== undefined && !planted.some(one => one.secret === secret));
const foundIn = searchFor([...planted, ...own]);
/** Also a part of a secret that was cut off. */
const partsIn = searchFor(own.map(({ kind, secret }) => ({ kind, secret: secret.slice(0, 16) })));

/** What the webhook says: values of its own and of the object. */
const sentence = (object: Reviewed, i: number): string => [...own.slice(i).map(({ data = '' }) => data), ...textsIn(object)].join(' ');

interface Reviewed {
  readonly kind: string;
}

interface Review {
  readonly request: { readonly uid: string; readonly object: Reviewed | null; readonly oldObject: Reviewed | null };
}

const bodies: string[] = [];
const kinds = ['Pod', 'ConfigMap', 'Secret'];
let server: Server;
let folder: string;
let remove: () => void;

beforeAll(async () => {
  const { cert, key, ca } = await issueServingPair({ dns: [], ips: [] }, new Date());
  ({ folder, remove } = temporaryFolder({ 'all.json': manifestsText(planted), 'ca.crt': ca.toString() }));
  server = createServer({ cert, key }, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    bodies.push(body);
    const { uid, object, oldObject } = (JSON.parse(body) as Review).request;
    const reviewed = object ?? oldObject ?? { kind: 'none' };
    // It crashes for some kinds of objects, and gives invalid answers for the others.
    const i = kinds.indexOf(reviewed.kind);
    const message = sentence(reviewed, 5 * i);
    const status = { message };
    const answer = {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid, allowed: false, status, patchType: message },
    };
    response.writeHead(i > 0 ? 500 : 200, { 'content-type': 'application/json' });
    response.end(i > 0 ? `TypeError: ${message}` : JSON.stringify(answer));
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
  remove();
});

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe('300 planted secrets of 40 kinds', { timeout: 60_000 }, () => {
  it.each(['text', 'json'])(
    'are not in the findings of fuzz -o %s, nor in their suite, their page and the requests to the webhook',
    async output => {
      bodies.length = 0;
      const { port } = server.address() as AddressInfo;
      const argv = ['-f', 'all.json', '--url', `https://127.0.0.1:${port}`, '--ca-file', 'ca.crt', '--phase', 'validating', '--seed', '1'];
      const more = ['--runs', '120', '--write', output, '--open', '-o', output];
      const { stdout, stderr, exitCode } = await runCommand(Fuzz, [...argv, ...more], { cwd: folder, env: { BROWSER: 'none' } });
      const page = /^report: (.*)$/m.exec(stderr)?.[1] ?? '';
      const html = readFileSync(page, 'utf8');
      rmSync(path.dirname(page), { recursive: true });
      const written = readdirSync(path.join(folder, output)).map(name => readFileSync(path.join(folder, output, name), 'utf8'));
      expect([exitCode, stdout.includes('TypeError'), html.includes('TypeError'), written.length > 3]).toEqual([1, true, true, true]);
      const texts = [stdout, stderr, html, ...written];
      expect([texts.flatMap(foundIn), texts.flatMap(partsIn)]).toEqual([[], []]);
      expect([bodies.length > 100, foundIn(bodies.join('\n'))]).toEqual([true, []]);
    },
  );
});
