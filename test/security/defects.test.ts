import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Lint from '../../commands/lint.js';
import Review from '../../commands/review.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { root, runCommand } from '../support/run-command.js';
import { runWithSmallStack } from '../support/small-stack.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** One attack of each defect that was found: what was run, and what has to hold. Sibling files have the details. */
const program = path.join(root, 'bin/run.js');
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const grown = (operation: (i: number) => object): object[] => Array.from({ length: 30 }, (_, i) => operation(i));
const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n';

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.a.example}
spec:
  group: a.example
  names: {kind: Thing, plural: things, singular: thing, listKind: ThingList}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
`;

const conditional = (expression: string): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'a' },
  webhooks: [
    {
      ...{ name: 'a.example.com', clientConfig: { url: 'https://127.0.0.1:1/' }, sideEffects: 'None', admissionReviewVersions: ['v1'] },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      matchConditions: [{ name: 'a', expression }],
    },
  ],
});

let attacked: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  attacked = temporaryFolder({
    'pod.yaml': pod,
    'thing.yaml': 'apiVersion: a.example/v1\nkind: Thing\nmetadata: {name: a}\n',
    'crd.yaml': definition,
    'number.json': '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a": 1e400}}',
    'levels.json': `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": ${nested(10_000)}}`,
    'thing.json': `{"apiVersion": "a.example/v1", "kind": "Thing", "metadata": {"name": "a"}, "data": ${nested(9000)}}`,
    'list]': '',
    'members.json': JSON.stringify(conditional(`object${'.a'.repeat(20_000)} == 1`)),
    [`${'a'.repeat(200)}`]: '',
  });
});
afterAll(() => attacked.remove());

const review = (...argv: string[]) =>
  runCommand(Review, ['--demo', ...(argv.includes('-o') ? [] : ['-o', 'name']), ...argv], { cwd: attacked.folder });

interface Row {
  readonly attack: string;
  readonly run: () => Promise<{ readonly stdout: string; readonly stderr: string; readonly exitCode: unknown }>;
  readonly exitCode: number;
  readonly stdout?: string;
  readonly stderr: RegExp;
}

/** One object does not end the run. */
const oneObject: readonly Row[] = [
  {
    attack: 'a number that no float64 holds',
    run: () => review('-f', 'number.json', '-f', 'pod.yaml'),
    exitCode: 3,
    stdout: 'pod/a denied\n',
    stderr:
      /^error: number\.json:1:\d+: .*cannot unmarshal number 1e400 into Go value of type float64\n2 calls: 0 allowed, 1 refused, 1 unusable\n$/,
  },
  {
    attack: '10,000 levels',
    run: () => review('-f', 'levels.json', '-f', 'pod.yaml'),
    exitCode: 3,
    stdout: 'pod/a denied\n',
    stderr: /^error: levels\.json.*exceeded max depth.*\n2 calls: /,
  },
  {
    attack: 'more levels than can be printed',
    run: async () => {
      const argv = ['review', '--demo', '-o', 'json', '--state', 'crd.yaml', '-f', 'thing.json', '-f', 'pod.yaml'];
      const { status, stderr } = runWithSmallStack(attacked.folder, ...argv);
      return { stdout: '', stderr, exitCode: status };
    },
    exitCode: 2,
    stderr: /^error: .*nested too deeply.*\n2 calls: /,
  },
  {
    attack: 'a range without characters in a pattern',
    run: () => review('-f', '[z-a]'),
    exitCode: 3,
    stderr: /^error: the path "\[z-a\]" does not exist; .*\n$/,
  },
  {
    attack: 'an invalid pattern',
    run: () => review('-f', '[a-]'),
    exitCode: 2,
    stderr: /^error: pattern "\[a-\]" is not valid: syntax error in pattern\n$/,
  },
  {
    attack: 'a pattern of many stars',
    run: () => review('-f', `${'*a'.repeat(60)}b`),
    exitCode: 3,
    stderr: /^error: the path ".*" does not exist; .*\n$/,
  },
  {
    attack: 'a condition of 20,000 members',
    run: async () => ({ ...(await runCommand(Lint, ['-f', 'members.json'], { cwd: attacked.folder })), stdout: '' }),
    exitCode: 1,
    stderr: /^$/,
  },
];

describe('one object does not end the run', { timeout: 30_000 }, () => {
  it.each(oneObject)('$attack', async ({ run, exitCode, stdout = '', stderr }) => {
    const ran = await run();
    expect(ran).toEqual({ stdout, stderr: expect.stringMatching(stderr), exitCode });
  });

  it.each<[string, object[] | string]>([
    ['1,500 levels', `[{"op":"add","path":"/x","value":${nested(1500)}}]`],
    ['9,000 levels', `[{"op":"add","path":"/x","value":${nested(9000)}}]`],
    [
      '27,000 levels by adding to what it added',
      grown(i => ({ op: 'add', path: `/x${'/a'.repeat(900 * i)}`, value: JSON.parse(nested(900)) })),
    ],
    [
      'more levels than can be read by copies in copies',
      grown(i => ({
        op: i === 0 ? 'add' : 'copy',
        from: '/x',
        path: `/x${i === 0 ? '' : '/a'.repeat(900)}`,
        value: JSON.parse(nested(900)),
      })),
    ],
  ])('a patch that builds %s', async (_, operations) => {
    const patch = Buffer.from(typeof operations === 'string' ? operations : JSON.stringify(operations)).toString('base64');
    const { ca, cert, key } = await issueServingPair({ dns: [], ips: ['127.0.0.1'] }, new Date());
    const server = createServer({ cert, key }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { uid } = JSON.parse(Buffer.concat(chunks).toString()).request;
        const answer = { uid, allowed: true, patchType: 'JSONPatch', patch };
        response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }));
      });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    writeFileSync(path.join(attacked.folder, 'ca.crt'), ca);
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const argv = ['--url', url, '--ca-file', 'ca.crt', '--state', 'crd.yaml', '-f', 'thing.yaml', '-o', 'json'];
    const { stdout, exitCode } = await runCommand(Review, argv, { cwd: attacked.folder });
    server.closeAllConnections();
    server.close();
    const [{ failure }] = JSON.parse(stdout).webhooks;
    expect([exitCode, failure.class, failure.message]).toEqual([
      5,
      'limit',
      'the patch nests values more than 1000 levels deep; kube-apiserver allows 10000',
    ]);
  });

  it('a folder that was removed', () => {
    const { folder, remove } = temporaryFolder();
    const { stderr, status } = spawnSync(
      'sh',
      ['-c', `cd ${folder} && rmdir ${folder} && exec ${process.execPath} ${program} review --demo -f pod.yaml`],
      {
        encoding: 'utf8',
      },
    );
    remove();
    expect([stderr, status]).toEqual(['error: the working folder no longer exists; change to another one\n', 3]);
  });

  it.runIf(process.platform === 'linux')('too few open files', () => {
    // With fewer, newer versions of Node end before the program starts. The reviews that are sent are printed: they are sent over a connection.
    const limit = Number.parseInt(process.versions.node, 10) < 22 ? 20 : 22;
    const { stderr, status } = spawnSync(
      'sh',
      ['-c', `ulimit -n ${limit}; exec ${process.execPath} ${program} review --demo -f pod.yaml -o request`],
      {
        cwd: attacked.folder,
        encoding: 'utf8',
      },
    );
    expect([stderr, status]).toEqual(['error: too many open files; raise the limit: ulimit -n 1024\n', 3]);
  });

  it.runIf(process.platform === 'linux').each([
    ['review --demo -f pod.yaml', '>&-'],
    ['--version', '>&-'],
    ['review --demo -f pod.yaml', '>/dev/full'],
    ['--version', '>/dev/full'],
  ])('lost output: %s %s', (argv, redirection) => {
    const reason = redirection === '>&-' ? 'it is closed' : 'no space left on device';
    expect(shell(`${process.execPath} ${program} ${argv} ${redirection}; echo "exit $?" >&2`)).toEqual(
      `error: stdout: ${reason}\nexit 6\n`,
    );
  });

  it.runIf(process.platform === 'linux').each([
    ['review --demo -f pod.yaml -o name', '>/dev/null', 1],
    ['--version', '>/dev/null', 0],
    ['--version', '| cat >/dev/null', 0],
    ['review --demo -f pod.yaml -o name', '| head -c 1 >/dev/null', 0],
  ])('output that nobody wants: %s %s', (argv, redirection, exitCode) => {
    expect(shell(`${process.execPath} ${program} ${argv} ${redirection}; echo "exit $?" >&2`)).toEqual(`exit ${exitCode}\n`);
  });

  it('a child process without stdout', () => {
    const { status } = spawnSync(process.execPath, [program, '--version'], { stdio: 'ignore' });
    expect(status).toBe(0);
  });
});

/** Returns what a line of a shell prints to stderr. */
function shell(line: string): string {
  return spawnSync('sh', ['-c', line], { cwd: attacked.folder, encoding: 'utf8' }).stderr;
}
