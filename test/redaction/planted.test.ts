import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import Fuzz from '../../commands/fuzz.js';
import Lint from '../../commands/lint.js';
import Match from '../../commands/match.js';
import Replay from '../../commands/replay.js';
import Review from '../../commands/review.js';
import Test from '../../commands/test.js';
import { type CommandClass, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Planted, plantedSecrets } from './planted-secrets.js';

const planted = plantedSecrets(8);
/** One of each kind, where a run for each format would take long. */
const few = plantedSecrets(1);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Objects of which the policy quotes every value in its message. */
function manifestsOf(secrets: readonly Planted[]): object[] {
  const pods = secrets.flatMap(({ pod }) => (pod === undefined ? [] : [pod]));
  const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
  return [
    ...pods.map(({ env, args, annotation }, i) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `pod-${i}`, ...(annotation === undefined ? {} : { annotations: { [lastApplied]: annotation } }) },
      spec: { containers: [{ name: 'app', image: 'app', env: env === undefined ? [] : [env], args: args ?? [] }] },
    })),
    ...secrets.flatMap(({ data }, i) =>
      data === undefined ? [] : [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `map-${i}` }, data: { text: data } }],
    ),
    ...secrets.flatMap(({ ofSecret, secret }, i) =>
      ofSecret === undefined
        ? []
        : [
            {
              apiVersion: 'v1',
              kind: 'Secret',
              metadata: { name: `secret-${i}` },
              [ofSecret]: { value: ofSecret === 'data' ? base64(secret) : secret },
            },
          ],
    ),
  ];
}

const policy = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'quote' },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods', 'configmaps', 'secrets'] }],
    },
    validations: [
      {
        expression: 'false',
        messageExpression:
          "'refused: ' + (has(object.data) ? object.data.map(k, string(object.data[k])).join(' ') : '') + (has(object.spec) ? object.spec.containers[0].env.map(e, e.value).join(' ') + object.spec.containers[0].args.join(' ') : '')",
      },
    ],
  },
};
const binding = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'quote' },
  spec: { policyName: 'quote', validationActions: ['Deny'] },
};

const list = (items: readonly object[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
/** The audit log of the calls, with their bodies. */
const events = manifestsOf(planted).map((object, i) => {
  const { kind, metadata } = object as { kind: string; metadata: { name: string } };
  const resource = { Pod: 'pods', ConfigMap: 'configmaps', Secret: 'secrets' }[kind] ?? '';
  return JSON.stringify({
    ...{
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'RequestResponse',
      auditID: `a-${i}`,
      stage: 'ResponseComplete',
      verb: 'create',
    },
    ...{ requestURI: `/api/v1/namespaces/default/${resource}`, user: { username: 'ann', groups: ['system:authenticated'] } },
    objectRef: { resource, namespace: 'default', name: metadata.name, apiVersion: 'v1' },
    ...{ responseStatus: { code: 201 }, requestObject: object, responseObject: object },
    ...{ requestReceivedTimestamp: '2026-01-02T08:00:00.000000Z', stageTimestamp: '2026-01-02T08:00:00.010000Z' },
  });
});

const { folder, remove } = temporaryFolder({
  'audit.log': `${events.join('\n')}\n`,
  'all.json': list(manifestsOf(planted)),
  'few.json': list(manifestsOf(few)),
  'state/policy.json': list([policy, binding]),
});
afterAll(remove);

/** Kinds of the secrets that are in a text, as they are or in base64. */
function foundIn(text: string): string[] {
  return [
    ...new Set(
      planted.filter(({ secret }) => text.includes(secret) || text.includes(base64(secret).replace(/=+$/, ''))).map(({ kind }) => kind),
    ),
  ];
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name));
}

describe('300 planted secrets of 40 kinds', { timeout: 60_000 }, () => {
  it('are that many', () => {
    expect([planted.length >= 300, new Set(planted.map(({ kind }) => kind)).size >= 40]).toEqual([true, true]);
  });

  it.each([
    ['text', 'few'],
    ['json', 'all'],
    ['yaml', 'few'],
    ['diff', 'few'],
    ['name', 'few'],
  ])('are not in the output of review -o %s', async (output, file) => {
    const { stdout, stderr } = await runCommand(Review, ['-f', `${file}.json`, '--state', 'state', '--demo', '-o', output], {
      cwd: folder,
    });
    expect(stdout + stderr).toContain('refused');
    expect(foundIn(stdout + stderr)).toEqual([]);
  });

  it('are not in reports and snapshots of test', async () => {
    const reporters = ['html', 'json', 'junit', 'markdown', 'sarif', 'tap', 'github', 'default'];
    const manifests = Object.fromEntries(manifestsOf(few).map((object, i) => [`cases/${i}.json`, JSON.stringify(object)]));
    const { folder: cwd, remove: clean } = temporaryFolder({ ...manifests, 'state/policy.json': list([policy, binding]) });
    try {
      const argv = ['cases', '--state', 'state', '--demo', ...reporters.flatMap(name => ['--reporter', `${name}=reports/${name}`])];
      const { stdout, stderr } = await runCommand(Test, argv, { cwd });
      expect(foundIn(stdout + stderr)).toEqual([]);
      const written = filesBelow(cwd).filter(file => !/cases\/\d+\.json$/.test(file));
      expect(written.length).toBeGreaterThan(few.length);
      for (const file of written)
        expect([path.relative(cwd, file), foundIn(readFileSync(file, 'utf8'))]).toEqual([path.relative(cwd, file), []]);
    } finally {
      clean();
    }
  });

  it.each<[string, CommandClass, readonly string[]]>([
    ['match -o text', Match, ['-f', 'few.json', '--state', 'state']],
    ['match -o json', Match, ['-f', 'few.json', '--state', 'state', '-o', 'json']],
    ...['text', 'json', 'sarif'].map((output): [string, CommandClass, readonly string[]] => [
      `lint -o ${output}`,
      Lint,
      ['-f', 'all.json', '-f', 'state', '-o', output],
    ]),
    ['replay -o json', Replay, ['-f', 'audit.log', '--state', 'state', '-o', 'json']],
    ['fuzz', Fuzz, ['-f', 'few.json', '--state', 'state', '--runs', '1', '--write', 'found']],
  ])('are not in what %s prints or writes', async (_, command, argv) => {
    const { stdout, stderr, exitCode } = await runCommand(command, argv, { cwd: folder });
    expect([[2, 70].includes(exitCode), stdout.length + stderr.length > 0]).toEqual([false, true]);
    expect(foundIn(stdout + stderr)).toEqual([]);
    const given = ['all.json', 'few.json', 'audit.log', 'state/policy.json'];
    const written = filesBelow(folder).filter(file => !given.includes(path.relative(folder, file)));
    expect(written.filter(file => foundIn(readFileSync(file, 'utf8')).length > 0)).toEqual([]);
  });

  it('are in the bodies that -o request asks for', async () => {
    const { stdout } = await runCommand(Review, ['-f', 'few.json', '--demo', '-o', 'request'], { cwd: folder });
    expect(foundIn(stdout)).toContain('CLIENT_SECRET');
  });
});
