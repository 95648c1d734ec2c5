import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import Request from '../../commands/request.js';
import Review from '../../commands/review.js';
import Test from '../../commands/test.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { type Recording, writeRecording } from '../../src/suites/recording.js';
import type { Script } from '../../src/webhook-server/script/script.js';
import { type ScriptedEndpoint, startScriptedEndpoint } from '../../src/webhook-server/script/scripted-endpoint.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let certificates: Awaited<ReturnType<typeof issueServingPair>>;
const opened: { close(): Promise<void> | void }[] = [];

beforeAll(async () => {
  certificates = await issueServingPair({ dns: [], ips: [] }, new Date());
});

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function webhook(script: Script): Promise<ScriptedEndpoint & { readonly url: string }> {
  const endpoint = await startScriptedEndpoint(script, { chain: certificates.cert, key: certificates.key });
  opened.push(endpoint);
  return { ...endpoint, url: `https://127.0.0.1:${endpoint.port}` };
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const made = temporaryFolder({ 'ca.crt': certificates.ca, ...files });
  opened.push({ close: () => made.remove() });
  return made.folder;
}

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { containers: [{ name: 'c', image: 'a:1' }] },
};
const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', labels: {} }, size: 1 };

function review({
  version = 'v1',
  object = pod as object,
  uid = '705ab4f5-6393-11e8-b7cc-42010a800002',
  kind = 'Pod',
  group = '',
  operation = 'CREATE',
} = {}): object {
  const request = {
    ...{ uid, kind: { group, version: 'v1', kind }, resource: { group, version: 'v1', resource: `${kind.toLowerCase()}s` } },
    ...{ name: 'web', namespace: 'shop', operation, userInfo: { username: 'jane' }, object, oldObject: null, dryRun: false },
  };
  return { kind: 'AdmissionReview', apiVersion: `admission.k8s.io/${version}`, request };
}

const json = { 'Content-Type': 'application/json' };

function answering(response: object): Script {
  const body = `{"apiVersion":"{{apiVersion}}","kind":"AdmissionReview","response":${JSON.stringify({ uid: '{{uid}}', ...response })}}`;
  return { endpoint: { kind: 'http', headers: json, body } };
}

function patching(...operations: object[]): Script {
  return answering({ allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') });
}

const label = (value: string): object => ({ op: 'add', path: '/metadata/labels', value: { team: value } });

function recordingOf(body: object, response: object, at = '/mutate?timeout=10s', status = 200): string {
  const uid = (body as { request: { uid: string } }).request.uid;
  const answer = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, ...response } });
  const recording: Recording = {
    request: { path: at, headers: [], body: `${JSON.stringify(body)}\n` },
    answer: { status, headers: [['Content-Type', 'application/json']], body: answer },
    ...{ at: '2026-11-22T08:00:00.000Z', durationMs: 1 },
  };
  return writeRecording(recording);
}

const run = (folder: string, argv: readonly string[]) => runCommand(Review, ['--ca-file', 'ca.crt', ...argv], { cwd: folder });

describe('review of a captured AdmissionReview', () => {
  it('sends it as it is but for its uid, and evaluates the answer', async () => {
    const { url, calls } = await webhook(patching(label('a')));
    const folder = folderWith({ 'review.json': JSON.stringify(review()) });
    const { stdout, exitCode } = await run(folder, ['--url', `${url}/mutate`, '-f', 'review.json']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('CREATE Pod shop/web by jane: allowed');
    expect(stdout).toContain('+     team: a');
    const sent = JSON.parse(calls[0]?.body.toString() ?? '');
    expect(sent.request.uid).not.toBe('705ab4f5-6393-11e8-b7cc-42010a800002');
    expect({ ...sent, request: { ...sent.request, uid: '' } }).toEqual({
      ...review(),
      request: { ...(review() as { request: object }).request, uid: '' },
    });
  });

  it('keeps its uid with --keep-uid', async () => {
    const { url, calls } = await webhook(answering({ allowed: true }));
    const folder = folderWith({ 'review.json': JSON.stringify(review()) });
    await run(folder, ['--url', `${url}/mutate`, '-f', 'review.json', '--keep-uid']);
    expect(calls[0]?.body.toString()).toBe(`${JSON.stringify(review())}\n`);
  });

  it('takes YAML, v1beta1, kinds without a definition and reviews without a uid', async () => {
    const { url, calls } = await webhook(patching({ op: 'replace', path: '/size', value: 2 }));
    const yaml = JSON.stringify(review({ version: 'v1beta1', object: widget, kind: 'Widget', group: 'example.com', uid: '' }), null, 2);
    const folder = folderWith({ 'review.yaml': `# captured\n${yaml}\n` });
    const { stdout, exitCode } = await run(folder, ['--url', `${url}/mutate`, '-f', 'review.yaml', '-o', 'object']);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('size: 2')]);
    expect(JSON.parse(calls[0]?.body.toString() ?? '')).toMatchObject({
      apiVersion: 'admission.k8s.io/v1beta1',
      request: { uid: expect.stringMatching(/./) },
    });
  });

  it('is refused with the words of the API server', async () => {
    const { url } = await webhook(answering({ allowed: false, status: { code: 403, message: 'no' } }));
    const folder = folderWith({ 'review.json': JSON.stringify(review()) });
    const { stdout, exitCode } = await run(folder, ['--url', `${url}/validate`, '-f', 'review.json']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('Error from server: admission webhook "webhook.webhook-cli.dev" denied the request: no');
  });

  it('ends with 5 for an answer that is not valid', async () => {
    const { url } = await webhook({
      endpoint: { kind: 'http', headers: json, body: '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}' },
    });
    const folder = folderWith({ 'review.json': JSON.stringify(review()) });
    expect(await run(folder, ['--url', `${url}/validate`, '-f', 'review.json'])).toMatchObject({
      exitCode: 5,
      stdout: expect.stringContaining('webhook response was absent'),
    });
  });

  it('goes where a recording went when the address has no path', async () => {
    const { url, calls } = await webhook(answering({ allowed: true }));
    const folder = folderWith({ 'recording.yaml': recordingOf(review(), { allowed: true }, '/the/path?timeout=10s') });
    expect((await run(folder, ['--url', url, '-f', 'recording.yaml'])).exitCode).toBe(0);
    expect(calls.map(call => (call as unknown as { path: string }).path)).toEqual(['/the/path?timeout=10s']);
  });

  it('sends redacted data of a Secret as base64', async () => {
    const { url, calls } = await webhook(answering({ allowed: true }));
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { a: '<redacted sha256:01234567>' } };
    const folder = folderWith({ 'recording.yaml': recordingOf(review({ object, kind: 'Secret' }), { allowed: true }) });
    await run(folder, ['--url', url, '-f', 'recording.yaml']);
    const data = JSON.parse(calls[0]?.body.toString() ?? '').request.object.data.a;
    expect(Buffer.from(data, 'base64').toString()).toBe('<redacted sha256:01234567>');
  });

  it.each([
    [
      'an answer',
      { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response: { uid: 'a' } },
      'the AdmissionReview has a response but no request',
    ],
    [
      'another version',
      { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1alpha1', request: {} },
      'an API server sends no AdmissionReview of',
    ],
    ['no version', { kind: 'AdmissionReview', request: {} }, 'the AdmissionReview has no apiVersion'],
    [
      'an incomplete recording',
      { kind: 'Recording', apiVersion: 'webhook-cli.dev/v1alpha1', request: { body: '' } },
      'missing answer of the recording',
    ],
  ])('says in one sentence why it cannot be sent: %s', async (_, document, message) => {
    const folder = folderWith({ 'review.json': JSON.stringify(document) });
    const { stderr, exitCode } = await run(folder, ['--url', 'https://127.0.0.1:1/', '-f', 'review.json']);
    expect(exitCode).toBe(3);
    expect(stderr).toContain(message);
    expect(stderr).toContain('review.json:1:');
  });

  it('is not an object for other commands and checks', async () => {
    const folder = folderWith({ 'review.json': JSON.stringify(review()) });
    expect(await runCommand(Request, ['-f', 'review.json'], { cwd: folder })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('cannot make an API call with a captured AdmissionReview'),
    });
    const { url } = await webhook(answering({ allowed: true }));
    expect(await run(folder, ['--url', `${url}/a`, '-f', 'review.json', '--check', 'idempotent'])).toMatchObject({ exitCode: 2 });
  });
});

describe('captured reviews in logs', () => {
  const first = JSON.stringify(review());
  const logged = `I1122 08:00:00.000000 1 main.go:42] "Got" body=${JSON.stringify(first)}\n{"level":"info","review":${JSON.stringify(review({ uid: 'other' }))}}\n`;

  it('are sent one after the other', async () => {
    const { url, calls } = await webhook(answering({ allowed: true }));
    const folder = folderWith({ 'webhook.log': logged });
    const { stdout, exitCode } = await run(folder, ['--url', `${url}/mutate`, '-f', 'webhook.log', '--keep-uid', '-o', 'name']);
    expect([exitCode, stdout]).toEqual([0, 'pod/web allowed\npod/web allowed\n']);
    expect(calls.map(({ body }) => JSON.parse(body.toString()))).toEqual([review(), review({ uid: 'other' })]);
  });

  it('are read from stdin, with positions in errors', async () => {
    const text = `${logged}cut ${first.slice(0, 300)}\n`;
    const folder = folderWith({});
    const argv = ['--url', 'https://127.0.0.1:1/', '--ca-file', 'ca.crt', '-f', '-'];
    const { stderr, exitCode } = await runCommand(Review, argv, { cwd: folder, stdin: text });
    expect(stderr).toContain('STDIN:3:6: the AdmissionReview is not complete');
    expect(exitCode).toBe(3);
  });

  it('are cases of test, and input of request --from-review', async () => {
    const { url, calls } = await webhook(answering({ allowed: true }));
    const folder = folderWith({ 'a.log': logged, 'b.log': 'nothing\n', 'c.yaml': JSON.stringify(pod) });
    const argv = ['.', '--url', `${url}/validate`, '--ca-file', 'ca.crt', '--update'];
    expect(await runCommand(Test, argv, { cwd: folder })).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('2 passed') });
    expect(calls).toHaveLength(3);
    const compared = await runCommand(Request, ['--from-review', 'a.log'], { cwd: folder });
    expect(compared.stdout.match(/^CREATE Pod shop\/web by jane: /gm)).toHaveLength(2);
  });

  it("is not sent with the words of Python's dictionaries as strings", async () => {
    const { url, calls } = await webhook(answering({ allowed: true }));
    const folder = folderWith({ 'python.log': first.replaceAll('"', "'").replace('null', 'None').replace('false', 'False') });
    expect((await run(folder, ['--url', `${url}/mutate`, '-f', 'python.log', '--keep-uid'])).exitCode).toBe(0);
    expect(JSON.parse(calls[0]?.body.toString() ?? '')).toEqual(review());
  });
});

describe('events of the audit log', () => {
  const path = '/api/v1/namespaces/shop/pods';
  const event = (verb: string, requestURI: string, more: object = {}): string =>
    JSON.stringify({
      ...{ kind: 'Event', apiVersion: 'audit.k8s.io/v1', level: 'Request', stage: 'ResponseComplete', verb, requestURI },
      ...{ user: { username: 'jane', groups: ['dev', 'system:authenticated'] }, userAgent: 'kubectl/v1', ...more },
    });
  const made = async (lines: readonly string[], argv: readonly string[] = []) => {
    const { url, calls } = await webhook(answering({ allowed: true }));
    const folder = folderWith({
      'audit.log': `${lines.join('\n')}\n`,
      'old.yaml': `${JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } })}\n${JSON.stringify(pod)}`,
    });
    const result = await run(folder, ['--url', `${url}/mutate`, '-f', 'audit.log', '--state', 'old.yaml', ...argv]);
    return { ...result, requests: calls.map(({ body }) => JSON.parse(body.toString()).request) };
  };
  const created = { ...pod, metadata: { name: 'new', namespace: 'shop' } };

  it('are calls of their users; reads are left out', async () => {
    const { requests, stdout, stderr, exitCode } = await made([
      event('get', `${path}/web`),
      event('create', path, { stage: 'RequestReceived' }),
      event('create', `${path}?fieldManager=kubectl-create`, { requestObject: created }),
    ]);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('audit.log: left out 2 audit events of reads and unfinished requests')]);
    expect(stdout).toContain('made from the audit log, with the object as the client sent it');
    expect(requests).toMatchObject([
      {
        operation: 'CREATE',
        userInfo: { username: 'jane', groups: ['dev', 'system:authenticated'] },
        object: { metadata: { name: 'new', managedFields: [{ manager: 'kubectl-create' }] }, spec: { dnsPolicy: 'ClusterFirst' } },
      },
    ]);
  });

  it.each([
    ['a JSON patch', [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }], 'web'],
    ['a patch of maps', { metadata: { labels: { a: 'b' } } }, 'web'],
    ['a strategic merge patch', { metadata: { labels: { a: 'b' } }, spec: { '$setElementOrder/containers': [{ name: 'c' }] } }, 'web'],
    [
      'server-side apply',
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', labels: { a: 'b' } } },
      'web?fieldManager=me&force=true',
    ],
  ])('can be %s', async (_, requestObject, rest) => {
    const { requests } = await made([event('patch', `${path}/${rest}`, { requestObject })]);
    expect(requests).toMatchObject([{ operation: 'UPDATE', object: { metadata: { labels: { a: 'b' } } } }]);
  });

  it.each([
    [
      'that has no object',
      event('create', path, { level: 'Metadata' }),
      'the audit event of level Metadata does not contain the object of the request',
    ],
    [
      'that is a patch with lists',
      event('patch', `${path}/web`, { requestObject: { spec: { containers: [] } } }),
      'the audit event does not contain the type of the patch, on which its lists depend',
    ],
  ])('cannot be an event %s', async (_, line, message) => {
    const { stderr, exitCode } = await made([line]);
    expect([exitCode, stderr]).toEqual([3, expect.stringMatching(new RegExp(`audit\\.log:1:\\d+: ${message}`))]);
  });

  it('cannot be reads alone', async () => {
    const { stderr, exitCode } = await made([event('list', path)]);
    expect(stderr).toContain('no call in audit.log reaches admission: its 1 audit event is a read or an unfinished request');
    expect(exitCode).toBe(3);
  });
});

describe('review --compare URL', () => {
  const compared = async (one: Script, other: Script): Promise<{ exitCode: number; stdout: string }> => {
    const [first, second] = [await webhook(one), await webhook(other)];
    const folder = folderWith({ 'pod.yaml': JSON.stringify(pod) });
    const result = await run(folder, ['--url', `${first.url}/mutate`, '--compare', second.url, '-f', 'pod.yaml']);
    expect(second.calls.map(({ body }) => body.toString())).toEqual(first.calls.map(({ body }) => body.toString()));
    return { ...result, stdout: result.stdout.replaceAll(second.url, 'OTHER') };
  };

  it('finds no difference between patches that lead to the same object', async () => {
    const apart = patching({ op: 'add', path: '/metadata/labels', value: {} }, { op: 'add', path: '/metadata/labels/team', value: 'a' });
    const { exitCode, stdout } = await compared(patching(label('a')), apart);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('compare: OTHER answers 1 review alike')]);
  });

  it.each<[string, Script, Script, string]>([
    ['the object', patching(label('a')), patching(label('b')), 'answers "a" for object.metadata.labels.team, and OTHER "b"'],
    ['no patch', patching(label('a')), answering({ allowed: true }), 'answers {"team":"a"} for object.metadata.labels, and OTHER nothing'],
    ['the decision', answering({ allowed: true }), answering({ allowed: false }), 'answers true for allowed, and OTHER false'],
    [
      'the message',
      answering({ allowed: false, status: { message: 'a' } }),
      answering({ allowed: false, status: { message: 'b' } }),
      'answers "a" for status.message, and OTHER "b"',
    ],
    [
      'warnings',
      answering({ allowed: true, warnings: ['w'] }),
      answering({ allowed: true }),
      'answers ["w"] for warnings, and OTHER nothing',
    ],
    [
      'an invalid answer',
      answering({ allowed: true }),
      { endpoint: { kind: 'http', status: 500, body: 'oops' } },
      'answers nothing for failure, and OTHER',
    ],
    ['no answer', answering({ allowed: true }), { endpoint: { kind: 'refuse' } }, 'answers, and OTHER does not: '],
  ])('finds a difference: %s', async (_, one, other, message) => {
    const [first, second] = [await webhook(one), await webhook(other)];
    const folder = folderWith({ 'pod.yaml': JSON.stringify(pod) });
    const { exitCode, stdout } = await run(folder, ['--url', `${first.url}/mutate`, '--compare', second.url, '-f', 'pod.yaml']);
    expect(stdout.replaceAll(second.url, 'OTHER')).toContain(message);
    expect(exitCode).toBe(1);
  });

  it('compares captured reviews as well', async () => {
    const [first, second] = [await webhook(patching(label('a'))), await webhook(patching(label('b')))];
    const folder = folderWith({ 'review.json': JSON.stringify(review()) });
    const { exitCode, stdout } = await run(folder, ['--url', `${first.url}/m`, '--compare', `${second.url}/n`, '-f', 'review.json']);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('"a" for object.metadata.labels.team')]);
  });

  it('is refused for an address that no API server calls', async () => {
    const folder = folderWith({ 'pod.yaml': JSON.stringify(pod) });
    expect(await run(folder, ['--url', 'https://127.0.0.1:1/', '--compare', 'http://a/', '-f', 'pod.yaml'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('invalid --compare "http://a/": the API server calls webhooks only over https'),
    });
  });
});

describe('a folder of recordings', () => {
  const tested = async (script: Script, files: Readonly<Record<string, string>>, argv: readonly string[] = []) => {
    const { url } = await webhook(script);
    const folder = folderWith({});
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    const result = await runCommand(Test, ['.', '--url', url, '--ca-file', 'ca.crt', ...argv], { cwd: folder });
    expect(readdirSync(folder).filter(name => name.startsWith('__'))).toEqual([]);
    return { ...result, folder };
  };
  const patch = (...operations: object[]): object => ({
    ...{ allowed: true, patchType: 'JSONPatch' },
    patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
  });

  it('passes while the answers mean the same', async () => {
    const { exitCode, stdout } = await tested(patching(label('a')), {
      'a.yaml': recordingOf(
        review(),
        patch({ op: 'add', path: '/metadata/labels', value: {} }, { op: 'add', path: '/metadata/labels/team', value: 'a' }),
      ),
      'b.yaml': recordingOf(review({ uid: 'other' }), patch(label('a'))),
    });
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/2 passed/)]);
  });

  it('fails with the field named when the webhook has changed', async () => {
    const { exitCode, stdout } = await tested(patching(label('b')), { 'a.yaml': recordingOf(review(), patch(label('a'))) });
    expect(stdout).toContain('object.metadata.labels.team differs from the recording: "b" instead of "a"');
    expect(exitCode).toBe(1);
  });

  it('fails for another decision, and passes for a recorded failure', async () => {
    const denied = recordingOf(review(), { allowed: false, status: { message: 'no' } });
    expect((await tested(answering({ allowed: true }), { 'a.yaml': denied })).stdout).toContain(
      'allowed differs from the recording: true instead of false',
    );
    const failure: Script = { endpoint: { kind: 'http', status: 500, body: 'oops' } };
    const recorded = recordingOf(review(), {}, '/a', 500)
      .replace(/body: '.*'/, 'body: oops')
      .replace('application/json', 'text/plain');
    expect(await tested(failure, { 'a.yaml': recorded })).toMatchObject({ exitCode: 0 });
  });

  it('is compared with another webhook by --compare', async () => {
    const other = await webhook(patching(label('b')));
    const recorded = recordingOf(review(), patch(label('a')));
    const { exitCode, stdout } = await tested(patching(label('a')), { 'a.yaml': recorded }, ['--compare', other.url]);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('answers "a" for object.metadata.labels.team, and https://')]);
  });

  it('does not compare what is redacted', async () => {
    const { exitCode } = await tested(patching(label('anything')), {
      'a.yaml': recordingOf(review(), patch(label('<redacted sha256:01234567>'))),
    });
    expect(exitCode).toBe(0);
  });

  it('sends recorded conversions again', async () => {
    const conversion = {
      kind: 'ConversionReview',
      apiVersion: 'apiextensions.k8s.io/v1',
      request: { uid: 'u', desiredAPIVersion: 'a/v2', objects: [] },
    };
    const recorded = recordingOf(conversion, { result: { status: 'Success' }, convertedObjects: [{ size: 1 }] }, '/convert');
    const converting = (size: number): Script => {
      const body = JSON.stringify({ response: { uid: '{{uid}}', result: { status: 'Success' }, convertedObjects: [{ size }] } });
      return { endpoint: { kind: 'http', headers: json, body } };
    };
    expect(await tested(converting(1), { 'a.yaml': recorded })).toMatchObject({ exitCode: 0 });
    expect(await tested(converting(2), { 'a.yaml': recorded })).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('convertedObjects[0].size differs from the recording: 2 instead of 1'),
    });
  });

  it('is broken when the webhook does not answer', async () => {
    expect(await tested({ endpoint: { kind: 'refuse' } }, { 'a.yaml': recordingOf(review(), { allowed: true }) })).toMatchObject({
      exitCode: 4,
      stdout: expect.stringContaining('connection refused'),
    });
  });

  it('says where a recording cannot be read', async () => {
    const text = recordingOf(review(), { allowed: true });
    const { stderr, exitCode } = await tested(answering({ allowed: true }), { 'a.yaml': text.replace('status: 200', 'status: 2') });
    expect([exitCode, stderr]).toEqual([3, expect.stringMatching(/a\.yaml:\d+.*invalid answer\.status of the recording/)]);
  });
});

describe('request --from-review', () => {
  const asked = (folder: string, argv: readonly string[]) => runCommand(Request, argv, { cwd: folder });
  const sentToday = async (argv: readonly string[]): Promise<{ folder: string; body: string }> => {
    const folder = folderWith({ 'pod.yaml': JSON.stringify(pod) });
    const { stdout } = await asked(folder, ['-f', 'pod.yaml', '--as', 'jane', ...argv]);
    writeFileSync(path.join(folder, 'review.json'), stdout);
    return { folder, body: stdout };
  };

  it.each([
    ['a creation', []],
    ['a creation as a dry run', ['--dry-run', 'server']],
    ['an update', ['--operation', 'update', '--old', 'pod.yaml']],
    ['a deletion', ['--operation', 'delete', '--old', 'pod.yaml', '--grace-period', '5']],
  ])('finds no difference in what is sent today: %s', async (_, argv) => {
    const { folder } = await sentToday(argv);
    const { stdout, exitCode } = await asked(folder, ['--from-review', 'review.json']);
    expect(stdout).toMatch(/^(?:(?:CREATE|UPDATE|DELETE) Pod shop\/web by jane: as the API server would send it today\n+)+$/);
    expect(exitCode).toBe(0);
  });

  it('names each field that differs', async () => {
    const { folder, body } = await sentToday([]);
    writeFileSync(path.join(folder, 'old.json'), body.replace('"dnsPolicy":"ClusterFirst",', '').replace(/"requestKind":\{[^}]*\},/, ''));
    const { stdout, exitCode } = await asked(folder, ['--from-review', 'old.json']);
    expect(stdout).toContain('CREATE Pod shop/web by jane: 2 differences\n');
    expect(stdout).toContain('  request.object.spec.dnsPolicy: captured absent, today "ClusterFirst"\n');
    expect(stdout).toContain('  request.requestKind: captured absent, today {"group":"","kind":"Pod","version":"v1"}\n');
    expect(exitCode).toBe(1);
  });

  it('prints both as JSON, or the body of today', async () => {
    const { folder, body } = await sentToday([]);
    const { stdout } = await asked(folder, ['--from-review', 'review.json', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ captured: JSON.parse(body), today: { kind: 'AdmissionReview' }, differences: [] });
    const request = await asked(folder, ['--from-review', 'review.json', '-o', 'request', '--seed', '1']);
    expect(JSON.parse(request.stdout)).toMatchObject({ kind: 'AdmissionReview', request: { operation: 'CREATE' } });
  });

  it.each([
    ['a manifest', pod, 'Pod is not a captured AdmissionReview', 3],
    ['a connection', review({ operation: 'CONNECT' }), 'a review of a CONNECT does not show the query of its call', 2],
    [
      'an unknown kind',
      review({ kind: 'Widget', group: 'example.com', object: widget }),
      'the API server would not send a review today',
      3,
    ],
  ])('says in one sentence why there is nothing to compare: %s', async (_, document, message, exitCode) => {
    const folder = folderWith({ 'review.json': JSON.stringify(document) });
    expect(await asked(folder, ['--from-review', 'review.json'])).toMatchObject({ exitCode, stderr: expect.stringContaining(message) });
  });
});
