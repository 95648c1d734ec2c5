import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-command.js';
import { type Answer, clientCertificate, type Running, startControlPlane, writeMaterials } from './support/control-plane.js';
import { startExecutables } from './support/executables.js';

/** A call: method, path, body, and what is unusual about it. */
type Call = readonly [method: string, path: string, body?: object | string | null, options?: CallFields];

interface CallFields {
  /** Bearer token; `admin` by default, `` for none. */
  readonly token?: string;
  /** User of a client certificate, of the CA of clients, or of proxies. */
  readonly client?: string;
  readonly proxy?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Repeated until the status is this one: informers of kube-apiserver need a moment. */
  readonly until?: number;
  /** Only these fields of the body, as dotted paths; `""` for only the status. */
  readonly only?: readonly string[];
}

interface Session {
  readonly name: string;
  readonly calls: readonly Call[];
  /** Status and body of every call, from kube-apiserver v1.36.3, with masked values. */
  answers?: readonly (readonly [number, unknown])[];
}

interface Recorded {
  readonly servers: readonly {
    readonly flags: readonly string[];
    readonly files?: Readonly<Record<string, string>>;
    readonly sessions: readonly Session[];
  }[];
  /** Command lines with which kube-apiserver does not start, and its error. */
  readonly refused: { readonly flags: readonly string[]; readonly files?: Readonly<Record<string, string>>; error?: string }[];
}

const file = path.join(root, 'fixtures/envtest/sessions.json');
const recorded: Recorded = JSON.parse(readFileSync(file, 'utf8'));

/** A folder with `kube-apiserver` and `etcd`: they are recorded, and the file is replaced. */
const recordedFrom = process.env['RECORD_ENVTEST'];
const tokens = 'admin,admin,,system:masters\nalice,alice,uid-1,"devs"\nnode,system:node:n1,,"system:nodes"\n';

describe.each(recorded.servers)('$flags', ({ flags, files = {}, sessions }) => {
  it('answers as kube-apiserver', async () => {
    const materials = writeMaterials({ 'tokens.csv': tokens, ...files });
    const all = ['--token-auth-file=tokens.csv', ...flags];
    const server = await (recordedFrom === undefined ? startControlPlane(materials, all) : startExecutables(recordedFrom, materials, all));
    const given: unknown[] = [];
    try {
      // Last of what kube-apiserver creates.
      await answerOf(server, ['GET', '/api/v1/namespaces/default', null, { until: 200 }], materials);
      for (const session of sessions) {
        const answers: [number, unknown][] = [];
        for (const call of session.calls) answers.push(await answerOf(server, call, materials));
        if (recordedFrom !== undefined) session.answers = answers;
        given.push([session.name, ...answers]);
      }
    } finally {
      await server.stop();
      materials.remove();
    }
    if (recordedFrom !== undefined) writeFileSync(file, written(recorded));
    expect(given).toEqual(sessions.map(({ name, answers = [] }) => [name, ...answers]));
  });
});

it.each(recorded.refused)('$flags', async refusal => {
  const materials = writeMaterials({ 'tokens.csv': tokens, ...refusal.files });
  const { flags } = refusal;
  const start = recordedFrom === undefined ? startControlPlane(materials, flags) : startExecutables(recordedFrom, materials, flags);
  const failed = await start.then(
    server => server.stop(),
    (error: Error) => error.message,
  );
  materials.remove();
  const error = typeof failed === 'string' ? lastError(failed).replaceAll(materials.folder, 'FOLDER') : 'started';
  if (recordedFrom === undefined) expect(error).toBe(refusal.error);
  else {
    refusal.error = error;
    writeFileSync(file, written(recorded));
  }
});

/** The line with the error, without the prefix of the log and of the exit code. */
function lastError(text: string): string {
  const lines = text.split('\n').filter(line => /Error: |err="/.test(line));
  return (lines[0] ?? text).replace(/^.*?(?=Error: |"command failed")/, '');
}

type Certificates = Pick<ReturnType<typeof writeMaterials>, 'clientCa' | 'proxyCa'>;

async function answerOf(server: Running, [method, url, body, options = {}]: Call, made: Certificates): Promise<[number, unknown]> {
  const { token = 'admin', client, proxy, headers, until, only } = options;
  const named = client ?? proxy;
  const certificate = named === undefined ? undefined : clientCertificate(named, client === undefined ? made.proxyCa : made.clientCa);
  const isPlain = token === '' || certificate !== undefined;
  for (let left = 200; ; left -= 1) {
    const answer = await server.call(method, url, {
      ...(body === undefined || body === null ? {} : { body }),
      ...(certificate === undefined ? {} : { client: certificate }),
      headers: {
        Accept: 'application/json',
        'User-Agent': 'kubectl/v1.36.3',
        ...(isPlain ? {} : { Authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    if (until === undefined || answer.status === until || left === 0) return [answer.status, masked(server, picked(answer, only))];
    await new Promise(resolve => setTimeout(resolve, recordedFrom === undefined ? 5 : 100));
  }
}

function picked({ body }: Answer, only: readonly string[] | undefined): unknown {
  if (only === undefined) return body;
  const at = (value: unknown, [key, ...rest]: readonly string[]): unknown => {
    if (key === undefined) return value;
    if (key === '*') return Array.isArray(value) ? value.map(item => at(item, rest)) : value;
    return typeof value === 'object' && value !== null ? at((value as Record<string, unknown>)[key], rest) : undefined;
  };
  return only[0] === '' ? null : only.map(field => at(body, field.split('.')) ?? null);
}

/** Replaces what differs between two runs. Managed fields are left out: other recordings have them. */
function masked({ port }: Running, body: unknown): unknown {
  const text = JSON.stringify(body, (key, value) => (key === 'managedFields' ? undefined : value)) ?? 'null';
  return JSON.parse(
    text
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
      .replace(/"(resourceVersion|remainingItemCount)":"\d+"/g, '"$1":"RV"')
      .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"/g, '"TIME"')
      .replace(/X509SHA256=[0-9a-f]{64}/g, 'X509SHA256=HASH')
      .replace(new RegExp(`\\b${port}\\b`, 'g'), '0'),
  );
}

/** One line for each session. */
function written({ servers, refused }: Recorded): string {
  const lines = (items: readonly unknown[]): string => items.map(item => JSON.stringify(item)).join(',\n');
  const blocks = servers.map(({ sessions, ...server }) => `${JSON.stringify(server).slice(0, -1)},"sessions":[\n${lines(sessions)}]}`);
  return `{"servers":[\n${blocks.join(',\n')}],\n"refused":[\n${lines(refused)}]}\n`;
}
