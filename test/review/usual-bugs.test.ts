import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface ReviewedRequest {
  readonly uid: string;
  readonly operation: string;
  readonly object: { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } } | null;
}

/** What a webhook with a bug writes. */
interface Reply {
  readonly status?: number;
  readonly type?: string;
  /** The kind comes first, as in Go's AdmissionReview. */
  readonly isTyped?: boolean;
  readonly apiVersion?: string;
  readonly response?: object;
  readonly delayMs?: number;
}

type Handler = (request: ReviewedRequest, path: string) => Reply;

const allowed = ({ uid }: ReviewedRequest): object => ({ uid, allowed: true });
const patched = (request: ReviewedRequest, patch: readonly object[]): object => ({
  ...allowed(request),
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
});

/** The object of a deletion is null: reading its labels throws. */
function labelsOf({ object }: ReviewedRequest): Readonly<Record<string, string>> {
  return (object as NonNullable<typeof object>).metadata.labels ?? {};
}

interface Bug {
  readonly bug: string;
  readonly handler: Handler;
  /** Found by the command alone, or by `--check all`. */
  readonly flags: readonly string[];
  readonly exitCode: number;
  readonly message: string;
  readonly remedy: string;
}

const bugs: readonly Bug[] = [
  {
    bug: 'another path',
    handler: (request, at) => (at === '/validate-pods' ? { response: allowed(request) } : { status: 404 }),
    flags: [],
    exitCode: 4,
    message: 'the server could not find the requested resource',
    remedy: 'try: compare clientConfig.service.path (or the path of url) with the path that the webhook serves',
  },
  {
    bug: 'no uid',
    handler: () => ({ response: { allowed: true } }),
    flags: [],
    exitCode: 5,
    message: 'expected response.uid=',
    remedy: 'try: copy request.uid into response.uid',
  },
  {
    bug: 'text/plain',
    handler: request => ({ type: 'text/plain', response: allowed(request) }),
    flags: [],
    exitCode: 0,
    message: 'webhook.webhook-cli.dev answers with Content-Type: text/plain; set application/json',
    remedy: 'set application/json',
  },
  {
    bug: 'a patch of an unknown field',
    handler: request => ({ response: patched(request, [{ op: 'add', path: '/spec/containers/0/imagePullPolcy', value: 'Always' }]) }),
    flags: ['--phase', 'mutating'],
    exitCode: 0,
    message: 'allowed, its patch changed nothing',
    remedy:
      'sets spec.containers[0].imagePullPolcy, a field that Pod does not have: the API server drops it; did you mean "imagePullPolicy"?',
  },
  {
    bug: 'an answer of v1beta1',
    handler: request => ({ apiVersion: 'admission.k8s.io/v1beta1', response: allowed(request) }),
    flags: [],
    exitCode: 5,
    message: 'converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
    remedy: 'try: respond with the apiVersion and kind of the request',
  },
  {
    bug: 'a denial without status',
    handler: ({ uid }) => ({ response: { uid, allowed: false } }),
    flags: [],
    exitCode: 1,
    message: 'denied the request without explanation',
    remedy: 'try: say why in response.status.message, which kubectl prints',
  },
  {
    bug: 'a crash on DELETE',
    handler: request => ({ response: { ...allowed(request), warnings: Object.keys(labelsOf(request)) } }),
    flags: ['--check', 'all'],
    exitCode: 4,
    message: 'in a review of DELETE, request.object is null: the object is request.oldObject',
    remedy: "try: check the webhook's log",
  },
  {
    bug: 'changes every time',
    handler: request => ({
      response:
        request.operation === 'DELETE'
          ? allowed(request)
          : patched(request, [{ op: 'add', path: '/metadata/annotations', value: { seen: request.uid } }]),
    }),
    flags: ['--check', 'all'],
    exitCode: 1,
    message: 'idempotent: webhook.webhook-cli.dev ',
    remedy: 'change only what is missing',
  },
  {
    bug: 'removes a missing field',
    handler: request => ({ response: patched(request, [{ op: 'remove', path: '/spec/nodeName' }]) }),
    flags: [],
    exitCode: 5,
    message: 'the patch refers to a path that the object does not have',
    remedy: 'try: check the object that was sent: webhook-cli request',
  },
  {
    bug: 'late',
    handler: request => ({ delayMs: 3000, response: allowed(request) }),
    flags: ['--timeout', '1s'],
    exitCode: 4,
    message: 'context deadline exceeded',
    remedy: 'try: ',
  },
];

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: "nginx:1.27"}]}\n';

let server: Server;
let current: Handler;
const { folder, remove } = temporaryFolder({ 'pod.yaml': pod });

beforeAll(async () => {
  const { ca, cert, key } = await issueServingPair({ dns: [], ips: [] }, new Date());
  writeFileSync(path.join(folder, 'ca.crt'), ca);
  server = createServer({ cert, key }, async (incoming, outgoing) => {
    const { request }: { readonly request: ReviewedRequest } = JSON.parse(Buffer.concat(await incoming.toArray()).toString('utf8'));
    try {
      const reply = current(request, incoming.url?.split('?')[0] ?? '');
      const { status = 200, type = 'application/json', apiVersion = 'admission.k8s.io/v1', response, delayMs = 0, isTyped = false } = reply;
      const kind = 'AdmissionReview';
      setTimeout(() => {
        outgoing.writeHead(status, { 'Content-Type': type });
        outgoing.end(
          response === undefined ? '' : JSON.stringify(isTyped ? { kind, apiVersion, response } : { apiVersion, kind, response }),
        );
      }, delayMs).unref();
    } catch {
      // As Go's server after a panic.
      incoming.socket.destroy();
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
  remove();
});

function review(flags: readonly string[]): Promise<CommandResult> {
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/validate`;
  return runCommand(Review, ['--url', url, '--ca-file', 'ca.crt', '-f', 'pod.yaml', ...flags], { cwd: folder });
}

describe('usual bugs of webhooks are found, with the message of the API server and a remedy', { timeout: 30_000 }, () => {
  it.each(bugs)('$bug ($flags)', async ({ handler, flags, exitCode, message, remedy }) => {
    current = handler;
    const { exitCode: actual, stdout, stderr } = await review(flags);
    expect([actual, stdout + stderr]).toEqual([exitCode, expect.stringContaining(message)]);
    expect(stdout + stderr).toContain(remedy);
  });

  it('shows apart what a patch sets, what the API server drops of it, and what its defaults add', async () => {
    const patch = [
      { op: 'add', path: '/spec/containers/-', value: { name: 'proxy', image: 'proxy:1', ports: [{ containerPort: 80 }], prot: 1 } },
    ];
    current = request => ({ response: patched(request, patch) });
    const text = await review(['--phase', 'mutating']);
    const json = await review(['--phase', 'mutating', '-o', 'json']);
    const [entry] = JSON.parse(json.stdout).webhooks;
    const added = (sign: string) => [...text.stdout.matchAll(new RegExp(`^ +\\${sign}  +(\\S.*)$`, 'gm'))].map(([, line]) => line);
    expect([added('+'), added('~')]).toEqual([
      ['- image: proxy:1', 'name: proxy', 'ports:', '- containerPort: 80'],
      [
        'imagePullPolicy: IfNotPresent',
        'protocol: TCP',
        'resources: {}',
        'terminationMessagePath: /dev/termination-log',
        'terminationMessagePolicy: File',
      ],
    ]);
    const container = '/spec/containers/1';
    expect([entry.patch, entry.serverPatch]).toEqual([
      patch,
      [
        { op: 'add', path: `${container}/ports/0/protocol`, value: 'TCP' },
        { op: 'add', path: `${container}/resources`, value: {} },
        { op: 'add', path: `${container}/terminationMessagePath`, value: '/dev/termination-log' },
        { op: 'add', path: `${container}/terminationMessagePolicy`, value: 'File' },
        { op: 'add', path: `${container}/imagePullPolicy`, value: 'IfNotPresent' },
        { op: 'remove', path: `${container}/prot` },
      ],
    ]);
  });

  it('a handler without bugs passes all checks', async () => {
    current = request => ({ response: allowed(request) });
    const { exitCode, stdout } = await review(['--check', 'all']);
    expect([exitCode, stdout.match(/^(CREATE|UPDATE|DELETE) Pod/gm)]).toEqual([0, ['CREATE Pod', 'UPDATE Pod', 'DELETE Pod']]);
  });
});

describe('a Content-Type of text', { timeout: 30_000 }, () => {
  const type = 'text/plain; charset=utf-8';

  it('is said once in a run', async () => {
    current = request => ({ type, response: allowed(request) });
    const { stdout, stderr } = await review(['-f', 'pod.yaml', '-f', 'pod.yaml']);
    expect(stdout).not.toContain('Content-Type');
    expect(stderr.match(/Content-Type/g)).toHaveLength(1);
  });

  it('is not said of servers of controller-runtime, which set none', async () => {
    current = request => ({ type, isTyped: true, response: { ...allowed(request), status: { metadata: {}, code: 200 } } });
    expect((await review([])).stderr).toBe('');
  });
});

describe('advice', { timeout: 30_000 }, () => {
  it('says how to write a slash in the key of a patch', async () => {
    current = request => ({ response: patched(request, [{ op: 'add', path: '/metadata/annotations/example.com/seen', value: 'yes' }]) });
    const { stdout } = await review([]);
    expect(stdout).toContain('try: write / in a key as ~1: /metadata/annotations/example.com~1seen');
  });
});
