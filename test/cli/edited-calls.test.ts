import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import Match from '../../commands/match.js';
import RequestCommand from '../../commands/request.js';
import Review from '../../commands/review.js';
import { editedCallIn } from '../../src/cli/work/edited-calls/edited-call.js';
import type { CommandClass } from '../support/run-command.js';
import { type Closing, startCommand } from '../support/started-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const opened: Closing[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const privileged = 'fixtures/manifests/pod-privileged.yaml';

const allowedPod = `apiVersion: v1
kind: Pod
metadata: {name: debug, namespace: shop}
spec:
  containers: [{name: shell, image: "busybox:1"}]
`;

interface ServedCalls {
  readonly address: string;
  readonly stderr: () => string;
}

/** Starts a command with `--open` at a terminal, and returns the address of its page. */
async function start(command: CommandClass, argv: readonly string[]): Promise<ServedCalls> {
  let stderr = '';
  const onStderr = (text: string): void => {
    stderr += text;
  };
  const options = { isErrorTerminal: true, env: { BROWSER: 'none', TERM: 'dumb' }, onStderr, opened };
  const [address = ''] = await startCommand(command, [...argv, '--open'], options, [/^page: (.*)$/m]);
  return { address, stderr: () => stderr };
}

const call = { entry: 0, operation: 'create', object: allowedPod, patch: '', user: '', groups: [] };

/** Sends a call as the page does, and returns the status and the answer. */
async function send(
  address: string,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly body: { readonly error?: string; readonly entry?: number } }> {
  const own = { Origin: new URL(address).origin, 'Content-Type': 'application/json' };
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const response = await fetch(`${address}calls`, { method: 'POST', headers: { ...own, ...headers }, body: text });
  const said = await response.text();
  return { status: response.status, body: said === '' ? {} : JSON.parse(said) };
}

interface ShownEntry {
  readonly outcome: string;
  readonly facts: string;
  readonly editOf?: number;
  readonly edit?: { readonly object: string; readonly operation: string; readonly patch?: string };
  readonly calls: readonly { readonly method: string; readonly user: string; readonly kubectl: number; readonly answer: number }[];
}

/** Returns the entries of a page, and its long texts. */
async function shown(address: string): Promise<{ readonly entries: readonly ShownEntry[]; readonly texts: readonly string[] }> {
  const html = await (await fetch(address)).text();
  const [, json = ''] = /<script[^>]* id="data"[^>]*>(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json);
}

describe('the page of review --open at a terminal', () => {
  it('sends an edited call again, in what existed before the first one', async () => {
    const { address, stderr } = await start(Review, ['--demo', '-f', privileged, '--state', 'fixtures/cluster']);
    expect(stderr()).toContain('edit calls and send them again there; Ctrl-C ends this command');
    expect(await send(address, call)).toEqual({ status: 201, body: { entry: 1 } });
    expect(await send(address, { ...call, entry: 1, user: 'jane', groups: ['dev'] })).toEqual({ status: 201, body: { entry: 2 } });
    const { entries } = await shown(address);
    expect(entries.map(({ outcome, editOf }) => [outcome, editOf])).toEqual([
      ['refused', undefined],
      ['allowed', 0],
      ['allowed', 1],
    ]);
    expect(entries[2]?.calls[0]?.user).toBe('jane');
  });

  it('makes an update of what was created, without a stored object', async () => {
    const { address } = await start(Review, ['--demo', '-f', 'fixtures/manifests/pod-sidecar.yaml', '--state', 'fixtures/cluster']);
    const { entries: before } = await shown(address);
    const object = JSON.parse(before[0]?.edit?.object ?? '{}');
    object.metadata.labels = { ...object.metadata.labels, tier: 'web' };
    expect((await send(address, { ...call, operation: 'update', object: JSON.stringify(object) })).status).toBe(201);
    expect((await send(address, { ...call, operation: 'delete', object: JSON.stringify(object) })).status).toBe(201);
    const patch = 'metadata: {labels: {tier: web}}';
    expect((await send(address, { ...call, operation: 'patch', patch, object: JSON.stringify(object) })).status).toBe(201);
    const { entries } = await shown(address);
    expect(entries.map(({ outcome, calls: [made] }) => [made?.method, outcome])).toEqual([
      ['POST', 'allowed'],
      ['PUT', 'allowed'],
      ['DELETE', 'allowed'],
      ['PATCH', 'allowed'],
    ]);
  });

  it('keeps what earlier calls of the run wrote, and nothing of later ones', async () => {
    const first = allowedPod.replace('debug', 'first');
    const { folder, remove } = temporaryFolder({ 'pods.yaml': `${first}---\n${allowedPod}` });
    opened.push({ close: remove });
    const { address } = await start(Review, ['--demo', '-f', path.join(folder, 'pods.yaml'), '--state', 'fixtures/cluster']);
    await send(address, { ...call, entry: 0 });
    await send(address, { ...call, entry: 1, object: first });
    const { entries, texts } = await shown(address);
    expect(entries.map(({ outcome }) => outcome)).toEqual(['allowed', 'allowed', 'allowed', 'refused']);
    expect(texts[entries[3]?.calls[0]?.kubectl ?? -1]).toContain('AlreadyExists');
  });

  it('sends secrets that the page does not show, where they are left as they are', async () => {
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: shop}\nstringData: {key: hunter2-and-more}\n';
    const { folder, remove } = temporaryFolder({ 'secret.yaml': secret });
    opened.push({ close: remove });
    const argv = ['--demo', '-f', path.join(folder, 'secret.yaml'), '--state', 'fixtures/cluster'];
    const { address } = await start(Review, argv);
    const { entries: before } = await shown(address);
    const object = before[0]?.edit?.object ?? '';
    expect(JSON.parse(object).stringData.key).toMatch(/^<redacted sha256:/);
    expect((await send(address, { ...call, object })).status).toBe(201);
    // Markers have a digest of what they replace.
    const { entries, texts } = await shown(address);
    const [first, second] = entries.map(({ calls: [made] }) => JSON.parse(texts[made?.answer ?? -1] ?? '').data.key);
    expect([first, second]).toEqual([expect.stringMatching(/^<redacted sha256:/), first]);
    const changed = await send(address, { ...call, object: object.replace('\\u003credacted', 'x\\u003credacted') });
    expect(changed).toEqual({
      status: 422,
      body: {
        error:
          'edited object: a changed text contains a marker in the place of a secret; write the secret itself, or leave the text as it was',
      },
    });
    const page = await (await fetch(address)).text();
    expect(page).not.toContain('hunter2-and-more');
  });

  it.each([
    ['text that is not YAML', 'a: [', /^edited object:2:1: error converting YAML to JSON: /],
    ['no object', '', /^edited object: expected one object, found 0$/],
    ['two objects', `${allowedPod}---\n${allowedPod}`, /^edited object: expected one object, found 2$/],
    ['a review', 'apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nrequest: {}\n', /expected a manifest/],
    ['an unknown kind', 'apiVersion: v1\nkind: Nothing\nmetadata: {name: a}\n', /no matches for kind|Nothing/],
  ])('says what is wrong with %s', async (_, object, message) => {
    const { address } = await start(Review, ['--demo', '-f', privileged]);
    const { status, body } = await send(address, { ...call, object });
    expect(status).toBe(422);
    expect(body.error).toMatch(message);
    expect((await shown(address)).entries).toHaveLength(1);
  });

  it('takes calls only from itself', async () => {
    const { address } = await start(Review, ['--demo', '-f', privileged]);
    const statusOf = async (...args: Parameters<typeof send>): Promise<number> => (await send(...args)).status;
    // Another last letter, whichever it has.
    const wrong = address.replace(/(.)\/$/, (_, last) => (last === '-' ? 'x/' : '-/'));
    expect(await statusOf(wrong, call)).toBe(404);
    expect(await statusOf(address, call, { Origin: 'http://evil.example.com' })).toBe(403);
    expect(await statusOf(address, call, { Origin: 'null' })).toBe(403);
    expect(await statusOf(address, call, { 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(await statusOf(address, call, { 'Content-Type': 'text/plain' })).toBe(415);
    expect((await fetch(`${address}calls`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })).status).toBe(
      403,
    );
    expect(await statusOf(address, 'not JSON')).toBe(400);
    expect(await statusOf(address, { ...call, url: 'https://evil.example.com/' })).toBe(400);
    expect(await statusOf(address, { ...call, entry: 7 })).toBe(404);
    expect(await statusOf(address, { ...call, object: 'x'.repeat(9 * 1024 * 1024) })).toBe(413);
    expect((await shown(address)).entries).toHaveLength(1);
  });

  it('reaches no other machine than the command line allows', async () => {
    const state = `apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: remote}
webhooks:
- name: remote.example.com
  clientConfig: {url: "https://203.0.113.1/"}
  objectSelector: {matchLabels: {remote: "yes"}}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  sideEffects: None
  admissionReviewVersions: [v1]
`;
    const { folder, remove } = temporaryFolder({ 'state.yaml': state, 'pod.yaml': allowedPod });
    opened.push({ close: remove });
    const argv = ['--state', path.join(folder, 'state.yaml'), '-f', path.join(folder, 'pod.yaml')];
    const { address } = await start(Review, argv);
    const object = allowedPod.replace('name: debug', 'name: debug, labels: {remote: "yes"}');
    const { status, body } = await send(address, { ...call, object });
    expect([status, body.error]).toEqual([422, expect.stringContaining('--allow-remote')]);
  });

  it('does not offer to edit exact calls', async () => {
    const { folder, remove } = temporaryFolder();
    opened.push({ close: remove });
    const file = path.join(folder, 'call.yaml');
    writeFileSync(file, `method: DELETE\npath: /api/v1/namespaces/shop/pods/web\n`);
    const { address } = await start(Review, ['--demo', '--call', file, '--state', 'fixtures/cluster']);
    const { entries } = await shown(address);
    expect(entries.map(({ edit }) => edit)).toEqual([undefined]);
    expect((await send(address, call)).status).toBe(404);
  });
});

it.each([
  ['match', Match],
  ['request', RequestCommand],
] as const)('%s --open asks again and sends nothing', async (_, command) => {
  const { address, stderr } = await start(command, ['--url', 'https://127.0.0.1:1/', '-f', privileged]);
  expect(stderr()).toContain('edit calls and ask again there');
  expect(await send(address, { ...call, operation: 'delete' })).toEqual({ status: 201, body: { entry: 1 } });
  expect((await shown(address)).entries[1]?.facts).toMatch(/^edited from call 1, \d of 2 webhooks would be called$/);
});

it('takes exactly the fields of a call', () => {
  expect(editedCallIn(call)).toEqual(call);
  const wrong = [
    ...[undefined, null, [], 'a', {}],
    ...[
      { ...call, more: 1 },
      { ...call, entry: '0' },
      { ...call, entry: 0.5 },
      { ...call, operation: 'connect' },
    ],
    ...[
      { ...call, groups: [1] },
      { ...call, groups: 'a' },
      { ...call, user: 1 },
      { ...call, object: {} },
    ],
  ];
  expect(wrong.map(editedCallIn)).toEqual(wrong.map(() => undefined));
});
