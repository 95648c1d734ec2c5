import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import zlib, { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import Replay from '../../commands/replay.js';
import ReportMerge from '../../commands/report/merge.js';
import '../../src/cli/commands/replay/run-replay.js';
import { type CommandResult, root, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { threadInProcess } from '../support/thread-in-process.js';

const log = path.join(root, 'fixtures/replay/audit.log');
const policy = path.join(root, 'fixtures/replay/policy.yaml');
const folder = temporaryFolder();
afterAll(() => folder.remove());

const replay = (...words: readonly string[]): Promise<CommandResult> => runCommand(Replay, words, { cwd: folder.folder });

interface Shown {
  readonly calls: {
    readonly replayed: number;
    readonly same: number;
    readonly withoutRule: number;
    readonly unknown: readonly { reason: string; count: number }[];
  };
  readonly changes: readonly { change: string; by: string; count: number; samples: readonly { auditID: string; line: number }[] }[];
}

const documentOf = ({ stdout }: CommandResult): Shown => JSON.parse(stdout);

describe('replay', () => {
  it('finds the calls of a recorded log that a policy would have refused', async () => {
    const result = await replay('-f', log, '--state', policy, '-o', 'json');
    expect(result.exitCode).toBe(1);
    const { calls, changes } = documentOf(result);
    expect(calls).toMatchObject({ replayed: 17, same: 11, unknown: [{ reason: 'failed for a reason outside admission (404)', count: 1 }] });
    expect(changes.map(({ change, by, count }) => [change, by, count])).toEqual([
      ['newly-refused', 'owner', 3],
      ['newly-refused', 'owner', 3],
    ]);
  });

  it('leaves out what no webhook or policy has a rule for, and finds the same as with all calls', async () => {
    const [some, all] = [
      documentOf(await replay('-f', log, '--state', policy, '-o', 'json')),
      documentOf(await replay('-f', log, '--state', policy, '-o', 'json', '--kubernetes-version', 'v1.37')),
    ];
    expect(some.calls.withoutRule).toBeGreaterThan(0);
    expect({ ...some.calls, withoutRule: 0, reused: 0 }).toEqual({ ...all.calls, reused: 0 });
    const found = ({ changes }: Shown): unknown[] =>
      changes.map(({ change, by, count, samples }) => [change, by, count, samples[0]?.auditID]);
    expect(found(some)).toEqual(found(all));
    const { stdout } = await replay('-f', log, '--state', policy);
    expect(stdout).toContain(`${some.calls.withoutRule} calls were not made again: no webhook or policy has a rule for them`);
  });

  it('prints the same in every format, and never a secret of the log', async () => {
    for (const format of ['text', 'json', 'markdown', 'html']) {
      const { stdout, exitCode } = await replay('-f', log, '--state', policy, '-o', format);
      expect([exitCode, stdout.includes('label owner is required')]).toEqual([1, true]);
      expect(stdout).not.toContain('planted-secret');
    }
  });

  it('hides a secret that a webhook quotes', async () => {
    const quoting = readFileSync(policy, 'utf8')
      .replace('message: label owner is required', 'messageExpression: "\'bad data \' + string(object.data.password)"')
      .replace('- configmaps', '- secrets')
      .replaceAll('name: owner', 'name: quoting')
      .replace('policyName: owner', 'policyName: quoting');
    writeFileSync(path.join(folder.folder, 'quoting.yaml'), quoting);
    const { stdout } = await replay('-f', log, '--state', 'quoting.yaml');
    expect(stdout).toContain('newly refused by quoting');
    expect(stdout).not.toContain(Buffer.from('planted-secret-1').toString('base64'));
  });

  it('makes equal calls once: the second half of a doubled log is that of the first', async () => {
    writeFileSync(path.join(folder.folder, 'twice.log'), readFileSync(log, 'utf8').repeat(2));
    const { stdout } = await replay('-f', 'twice.log', '--state', policy);
    expect(stdout).toContain('34 calls compared');
    expect(stdout).toContain('12 would change');
    expect(stdout).toMatch(/; (?:1[5-9]|2\d) calls were equal to an earlier one/);
  });

  it('guesses nothing about the deletion of a collection that the log does not show', async () => {
    const deletion = {
      ...{ kind: 'Event', apiVersion: 'audit.k8s.io/v1', stage: 'ResponseComplete', verb: 'deletecollection', auditID: 'gone' },
      requestURI: '/api/v1/namespaces/shop/pods',
      objectRef: { resource: 'pods', namespace: 'shop', apiVersion: 'v1' },
      user: { username: 'alice' },
      responseStatus: { code: 200 },
    };
    const pod = { metadata: { name: 'web', namespace: 'shop' }, spec: { containers: [{ name: 'web', image: 'web' }] } };
    const shown = { ...deletion, responseObject: { kind: 'PodList', apiVersion: 'v1', items: [pod] } };
    const api = {
      ...{ ...deletion, verb: 'create', auditID: 'api', objectRef: { ...deletion.objectRef, name: 'api' }, responseStatus: { code: 201 } },
      responseObject: { kind: 'Pod', apiVersion: 'v1', ...pod, metadata: { name: 'api', namespace: 'shop' } },
    };
    const later = { ...api, verb: 'delete', requestURI: '/api/v1/namespaces/shop/pods/api', responseStatus: { code: 200 } };
    writeFileSync(
      path.join(folder.folder, 'deletions.log'),
      [{ ...api, requestObject: api.responseObject }, deletion, later, shown].map(event => `${JSON.stringify(event)}\n`).join(''),
    );
    const deleting = readFileSync(policy, 'utf8')
      .replace(/- CREATE\n\s+- UPDATE/, '- DELETE')
      .replace(/'''owner''.*/, "object == null && oldObject.metadata.name != 'web'");
    writeFileSync(path.join(folder.folder, 'deleting.yaml'), deleting);
    const { calls, changes } = documentOf(await replay('-f', 'deletions.log', '--state', 'deleting.yaml', '-o', 'json'));
    expect(calls.unknown).toEqual([
      { reason: 'the log does not show which objects the deletion of a collection concerns', count: 1 },
      { reason: 'the object before the call is not in the log or the state', count: 1 },
    ]);
    expect(changes.map(({ change, count }) => [change, count])).toEqual([['newly-refused', 1]]);
  });

  it('merges the reports of shards to that of one run', async () => {
    const whole = await replay('-f', log, '--state', policy);
    for (const index of [1, 2, 3]) {
      const { stdout } = await replay('-f', log, '--state', policy, '--shard', `${index}/3`, '-o', 'json');
      writeFileSync(path.join(folder.folder, `shard-${index}.json`), stdout);
    }
    const merge = (...files: readonly string[]): Promise<CommandResult> => runCommand(ReportMerge, files, { cwd: folder.folder });
    const merged = await merge('shard-3.json', 'shard-1.json', 'shard-2.json');
    expect(merged).toEqual(whole);
    expect(await merge('shard-3.json', 'shard-1.json')).toMatchObject({
      exitCode: 3,
      stderr: 'error: missing shard 2 of 3; run it again with --shard 2/3, and pass its report\n',
    });
  });

  it('gives the same result with threads', async () => {
    const startThread = (surroundings: Parameters<typeof threadInProcess>[0]) => threadInProcess(surroundings);
    const words = ['-f', log, '--state', policy];
    const threads = await runCommand(Replay, [...words, '--jobs', '2'], { cwd: folder.folder, startThread });
    expect(threads).toEqual(await replay(...words));
  });

  it('reads compressed and rotated files of a folder in the order of their events', async () => {
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    const rotated = temporaryFolder();
    // Node has zstd since 22.15.
    const zstdSync: typeof gzipSync = Reflect.get(zlib, 'zstdCompressSync') ?? gzipSync;
    writeFileSync(path.join(rotated.folder, 'z'), zstdSync(`${lines.slice(0, 5).join('\n')}\n`));
    writeFileSync(path.join(rotated.folder, 'y.gz'), gzipSync(`${lines.slice(5, 10).join('\n')}\n`));
    writeFileSync(path.join(rotated.folder, 'audit.log'), `${lines.slice(10).join('\n')}\n`);
    const [one, parts] = await Promise.all([
      replay('-f', log, '--state', policy, '-o', 'json'),
      replay('-f', rotated.folder, '--state', policy, '-o', 'json'),
    ]);
    expect(documentOf(parts).calls).toEqual(documentOf(one).calls);
    rotated.remove();
  });

  it('reads objects that were printed over several lines, alone or in a list', async () => {
    const events = readFileSync(log, 'utf8')
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    const objects = events.map(event => JSON.stringify(event, null, 2));
    const { calls } = documentOf(await replay('-f', log, '--state', policy, '-o', 'json'));
    for (const [name, text, lines] of [
      ['objects.json', objects.join('\n'), objects.length],
      ['list.json', JSON.stringify(events, null, 2), objects.length + 2],
      ['cut-off.json', ['{', '  "kind": "Event",', ...objects].join('\n'), objects.length + 1],
      ['events.json', JSON.stringify({ kind: 'EventList', items: events }, null, 4), 1],
    ] as const) {
      writeFileSync(path.join(folder.folder, name), text);
      const read = documentOf(await replay('-f', name, '--state', policy, '-o', 'json'));
      expect(read, name).toMatchObject({ calls, log: { lines, broken: { count: name === 'cut-off.json' ? 1 : 0 } } });
    }
  });

  it('knows an object after it was scaled, which the log answers only with its scale', async () => {
    const events = readFileSync(log, 'utf8').trimEnd().split('\n');
    const [created, patched] = [4, 13].map(i => JSON.parse(events[i] ?? ''));
    const metadata = { ...created.responseObject.metadata, resourceVersion: '9999' };
    const scaled = {
      ...{ ...patched, auditID: 'scaled', requestURI: `${patched.requestURI}/scale`, annotations: undefined },
      objectRef: { ...patched.objectRef, subresource: 'scale' },
      ...{
        requestObject: { spec: { replicas: 3 } },
        responseObject: { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata, spec: { replicas: 3 } },
      },
    };
    const updated = {
      ...{
        ...patched,
        verb: 'update',
        requestObject: { ...created.responseObject, metadata, spec: { ...created.responseObject.spec, replicas: 3 } },
      },
    };
    const three = readFileSync(policy, 'utf8')
      .replace(/expression: .*/, "expression: 'object.spec.replicas == 3 && oldObject.spec.replicas == 3'")
      .replace('- CREATE\n', '');
    writeFileSync(path.join(folder.folder, 'three.yaml'), three);
    writeFileSync(path.join(folder.folder, 'scaled.log'), [created, scaled, updated].map(event => JSON.stringify(event)).join('\n'));
    const { calls } = documentOf(await replay('-f', 'scaled.log', '--state', 'three.yaml', '-o', 'json'));
    expect(calls).toMatchObject({ replayed: 3, same: 3, unknown: [] });
  });

  it('knows an object of which the log shows only the request, also when its creation would be refused', async () => {
    const of = (auditID: string, verb: string, code: number, labels: object) => ({
      ...{ kind: 'Event', apiVersion: 'audit.k8s.io/v1', level: 'Request', stage: 'ResponseComplete', auditID, verb },
      ...{ user: { username: 'alice' }, responseStatus: { code } },
      requestObject: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'limits', namespace: 'shop', labels } },
      requestURI: `/api/v1/namespaces/shop/configmaps${verb === 'create' ? '' : '/limits'}`,
      objectRef: { resource: 'configmaps', namespace: 'shop', name: 'limits' },
    });
    const mutated = { 'mutation.webhook.admission.k8s.io/round_0_index_0': '{"configuration":"c","webhook":"w","mutated":true}' };
    const refused = async (annotations: object) => {
      const events = [{ ...of('a', 'create', 201, {}), annotations }, of('b', 'update', 200, { tier: 'gold' })];
      writeFileSync(path.join(folder.folder, 'requests.log'), events.map(event => JSON.stringify(event)).join('\n'));
      const { changes, calls } = documentOf(await replay('-f', 'requests.log', '--state', policy, '-o', 'json'));
      return [changes.find(({ change }) => change === 'newly-refused')?.count, calls.unknown.map(({ reason }) => reason)];
    };
    expect(await refused({})).toEqual([2, []]);
    expect(await refused(mutated)).toEqual([1, ['the object before the call is not in the log or the state']]);
  });

  it('does not compare what the API server says about objects that only the replay has stored', async () => {
    const job = { kind: 'Job', apiVersion: 'batch/v1', metadata: { name: 'once', namespace: 'shop' } };
    const podSpec = { restartPolicy: 'Never', containers: [{ name: 'once', image: 'once:1' }] };
    const of = (auditID: string, verb: string, code: number, message: string, requestObject: object) => ({
      ...{ kind: 'Event', apiVersion: 'audit.k8s.io/v1', level: 'Request', stage: 'ResponseComplete', auditID, verb, requestObject },
      ...{ user: { username: 'alice' }, responseStatus: { code, message } },
      requestURI: `/apis/batch/v1/namespaces/shop/jobs${verb === 'create' ? '' : '/once'}`,
      objectRef: { apiGroup: 'batch', resource: 'jobs', namespace: 'shop', name: 'once' },
    });
    const labels = { 'batch.kubernetes.io/controller-uid': 'the uid in the cluster' };
    const events = [
      of('a', 'create', 201, '', { ...job, spec: { template: { spec: podSpec } } }),
      of('b', 'update', 422, 'Job.batch "once" is invalid: spec.template: field is immutable', {
        ...{ ...job, spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { ...podSpec, nodeName: 'n' } } } },
      }),
    ];
    writeFileSync(path.join(folder.folder, 'jobs.log'), events.map(event => JSON.stringify(event)).join('\n'));
    const { calls } = documentOf(await replay('-f', 'jobs.log', '--state', policy, '-o', 'json', '--kubernetes-version', 'v1.37'));
    const reason = 'the API server refuses it because of the stored object, of which the log shows only requests';
    expect(calls).toMatchObject({ replayed: 1, same: 1, unknown: [{ reason, count: 1 }] });
  });

  it('counts broken lines and goes on', async () => {
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    writeFileSync(path.join(folder.folder, 'broken.log'), [...lines.slice(0, 3), '{"kind":"Event', 'oops', ...lines.slice(3)].join('\n'));
    const { stdout, exitCode } = await replay('-f', 'broken.log', '--state', policy);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('2 lines cannot be read:\n  broken.log:4  JSON that is cut off or invalid\n  broken.log:5  not JSON');
    expect(stdout).toContain('17 calls compared');
  });

  it('reports what is before the place where a compressed file is cut off or damaged, and goes on with the next file', async () => {
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    const cut = temporaryFolder();
    const later = `${lines.slice(10).join('\n')}\n`;
    // Random characters: the file is larger than one buffer of the decompression, which has returned a part of it already.
    const whole = `${lines.slice(0, 10).join('\n')}\n${randomBytes(100_000).toString('base64')}`;
    const zstdSync: unknown = Reflect.get(zlib, 'zstdCompressSync');
    const damages: readonly (readonly [bytes: Buffer, reason: string])[] = [
      [gzipSync(whole).subarray(0, -20_000), 'unexpected end of file'],
      [Buffer.concat([gzipSync(whole), Buffer.from('damaged')]), 'incorrect header check'],
      ...(typeof zstdSync === 'function' ? [[zstdSync(whole).subarray(0, -1000), 'unexpected end of file'] as const] : []),
    ];
    for (const [bytes, reason] of damages) {
      writeFileSync(path.join(cut.folder, 'a'), bytes);
      writeFileSync(path.join(cut.folder, 'b'), later);
      const { stdout, stderr, exitCode } = await replay('-f', cut.folder, '--state', policy);
      expect([exitCode, stderr]).toEqual([1, '']);
      expect(stdout).toContain('20 lines from');
      expect(stdout).toContain('17 calls compared');
      expect(stdout).toContain(
        `1 line cannot be read:\n  ${path.join(cut.folder, 'a')}:11  the file cannot be read from here on: ${reason}`,
      );
    }
    cut.remove();
  });

  it('says that it made no call again, in place of that nothing changes', async () => {
    const version = { kind: 'Event', apiVersion: 'audit.k8s.io/v1' };
    const event = { ...version, level: 'Metadata', auditID: 'a', stage: 'ResponseComplete', verb: 'create' };
    const call = { requestURI: '/api/v1/namespaces/n/pods', user: { username: 'ann' }, responseStatus: { code: 201 } };
    const objectRef = { resource: 'pods', namespace: 'n', name: 'p', apiVersion: 'v1' };
    writeFileSync(path.join(folder.folder, 'bare.log'), `${JSON.stringify({ ...event, ...call, objectRef })}\n`);
    const { stdout, stderr, exitCode } = await replay('-f', 'bare.log', '--state', policy);
    expect([exitCode, stderr]).toEqual([3, 'error: no call of the log could be made again; the report says why\n']);
    expect((await replay('-f', 'bare.log', '--state', policy, '--shard', '1/2')).exitCode).toBe(0);
    expect(stdout.split('\n').slice(0, 2)).toEqual(['1 line: 0 calls compared, 1 not known, 0 other events', 'no call was made again']);
  });

  it('says that nobody has a rule for the calls, in place of that nothing changes', async () => {
    const event = {
      ...{
        kind: 'Event',
        apiVersion: 'audit.k8s.io/v1',
        level: 'RequestResponse',
        stage: 'ResponseComplete',
        auditID: 'a',
        verb: 'create',
      },
      requestURI: '/apis/coordination.k8s.io/v1/namespaces/n/leases',
      objectRef: { apiGroup: 'coordination.k8s.io', resource: 'leases', namespace: 'n', name: 'l' },
      user: { username: 'ann' },
      responseStatus: { code: 201 },
    };
    writeFileSync(path.join(folder.folder, 'leases.log'), `${JSON.stringify(event)}\n`);
    const { stdout, exitCode } = await replay('-f', 'leases.log', '--state', policy);
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      '1 line: 1 call compared, 0 other events',
      'nothing changes: no webhook or policy of the state has a rule for any of these calls',
    ]);
  });

  it('makes one call again, and prints it as review does', async () => {
    const auditId = documentOf(await replay('-f', log, '--state', policy, '-o', 'json')).changes[0]?.samples[0]?.auditID ?? '';
    const { stdout, exitCode } = await replay('-f', log, '--state', policy, '--only', auditId);
    expect([exitCode, stdout.split('\n')[0]]).toEqual([
      1,
      'CREATE Deployment shop/cron by system:serviceaccount:shop:deployer: refused (422)',
    ]);
    expect(await replay('-f', log, '--state', policy, '--only', 'none')).toMatchObject({ exitCode: 3 });
  });

  it('samples the same calls in every run', async () => {
    const words = ['-f', log, '--state', policy, '--sample', '50%'];
    const [first, second] = await Promise.all([replay(...words), replay(...words)]);
    expect(second).toEqual(first);
    expect(first.stdout).toContain('calls were left out by --sample');
  });

  it('names webhooks and policies of the log that the replay does not have, also in the report of shards', async () => {
    const [created = ''] = readFileSync(log, 'utf8')
      .split('\n')
      .filter(line => line.includes('"resource":"deployments"'));
    const patched = { ...JSON.parse(created), auditID: 'patched' };
    patched.annotations = {
      'mutation.webhook.admission.k8s.io/round_0_index_0': '{"configuration":"c","webhook":"sidecar","mutated":true}',
    };
    const message = "is forbidden: ValidatingAdmissionPolicy 'owner' with binding 'owner' denied request: no";
    const refused = { ...JSON.parse(created), auditID: 'refused', annotations: {}, responseStatus: { code: 422, message } };
    const other = { ...refused, auditID: 'other', responseStatus: { code: 422, message: message.replace("'owner'", "'gone'") } };
    writeFileSync(path.join(folder.folder, 'absent.log'), [refused, other, patched].map(event => JSON.stringify(event)).join('\n'));
    const allowing = readFileSync(policy, 'utf8').replace(/expression: .*/, "expression: 'true'");
    writeFileSync(path.join(folder.folder, 'allowing.yaml'), allowing);
    const words = 'in the log, but not in the state: gone (1 change), sidecar (1 change); if the cluster keeps them, add them to --state\n';
    expect((await replay('-f', 'absent.log', '--state', 'allowing.yaml')).stdout).toContain(words);
    const { stdout } = await replay('-f', 'absent.log', '--state', 'allowing.yaml', '--shard', '1/1', '-o', 'json');
    writeFileSync(path.join(folder.folder, 'absent.json'), stdout);
    expect((await runCommand(ReportMerge, ['absent.json'], { cwd: folder.folder })).stdout).toContain(words);
  });

  it('says which calls an outage stops, and that the webhook needs them itself', async () => {
    const webhook = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: guard.example.com
  clientConfig: {service: {namespace: shop, name: guard}}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  failurePolicy: Fail
  sideEffects: None
  admissionReviewVersions: [v1]
`;
    writeFileSync(path.join(folder.folder, 'guard.yaml'), webhook);
    const words = ['-f', log, '--state', 'guard.yaml', '--outage', 'guard.example.com'];
    const { stdout, exitCode } = await replay(...words);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('the webhook refuses calls that are needed to repair it:\n  3  its own workload in the namespace shop (pods)');
    const samples = [
      'fixtures/replay/audit.log:9',
      'fixtures/replay/audit.log:10',
      'CREATE pods shop by system:serviceaccount:kube-system',
    ];
    for (const format of ['text', 'markdown', 'html']) {
      const report = (await replay(...words, '-o', format)).stdout.replaceAll('&#58;', ':');
      for (const part of [
        ...['outage', 'of 17 calls, 3 would have failed and 0 would have passed unchecked'],
        ...['the webhook refuses calls that are needed to repair it:', 'its own workload in the namespace shop (pods)', ...samples],
        'waiting for webhooks: 0 ms in half of the calls, 10000 ms in 99 %, at most 10000 ms',
      ])
        expect(report, format).toContain(part);
    }
  });

  const mistakes: readonly (readonly [words: readonly string[], sentence: string])[] = [
    [['-f', 'none.log', '--state', policy], 'the path "none.log" does not exist'],
    [['-f', log], 'no webhook specified'],
    [['-f', log, '--state', policy, '--shard', '3/2'], 'invalid --shard "3/2"'],
    [['-f', log, '--state', policy, '--sample', '0'], 'invalid --sample "0"'],
    [['-f', log, '--state', policy, '--outage', 'a@x..y'], 'invalid --outage "a@x..y"'],
    [['-f', log, '--state', policy, '--max-p99', '1s'], '--for and --max-p99 belong to a load'],
    [['-f', log, '--state', policy, '--jobs', 'many'], 'invalid --jobs "many"'],
  ];
  for (const [words, sentence] of mistakes) {
    it(`explains: ${sentence}`, async () => {
      const { stderr, exitCode } = await replay(...words);
      expect(stderr).toContain(sentence);
      expect([2, 3]).toContain(exitCode);
    });
  }
});
