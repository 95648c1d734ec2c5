import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import Match from '../../commands/match.js';
import Request from '../../commands/request.js';
// Loaded here, so that loading does not count for the timeout of the first test.
import '../../src/cli/commands/match/run-match.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** A typical configuration, and its surprising behavior. */
interface Surprise {
  /** Folder in fixtures/match. */
  readonly name: string;
  readonly args?: readonly string[];
  /** The webhook's row, and the line with the deciding predicate. */
  readonly row: string;
  readonly line: string;
  /** File and replacement that change the outcome. */
  readonly change: readonly ['state.yaml' | 'object.yaml', string, string];
  readonly changed: string;
}

const surprises: readonly Surprise[] = [
  {
    name: 'own-pods',
    row: 'injector/inject.example.com  yes',
    line: '    namespaceSelector: wants kubernetes.io/metadata.name notin (kube-system); saw namespace injector has kubernetes.io/metadata.name=injector',
    change: ['state.yaml', '[kube-system]', '[kube-system, injector]'],
    changed: 'inject.example.com  no: namespaceSelector: namespace injector has the labels kubernetes.io/metadata.name=injector',
  },
  {
    name: 'kube-system',
    row: 'policy/policy.example.com  yes',
    line: '    namespaceSelector: wants !control-plane; saw namespace kube-system has kubernetes.io/metadata.name=kube-system',
    change: ['state.yaml', 'metadata.name: kube-system', 'metadata.name: kube-system\n    control-plane: "true"'],
    changed:
      'policy.example.com  no: namespaceSelector: namespace kube-system has the labels control-plane=true,kubernetes.io/metadata.name=kube-system',
  },
  {
    name: 'ephemeral-containers',
    args: ['--operation', 'update', '--subresource', 'ephemeralcontainers'],
    row: 'images/images.example.com  no: rules: no rule matches UPDATE pods/ephemeralcontainers of the core group v1: it is for CREATE|UPDATE pods of core v1',
    line: '  ! rules: wants CREATE|UPDATE pods of core v1 [Equivalent]; saw UPDATE pods/ephemeralcontainers of core v1',
    change: ['state.yaml', 'resources: [pods]', 'resources: [pods, pods/ephemeralcontainers]'],
    changed: 'images.example.com  yes',
  },
  {
    name: 'scale',
    args: ['--operation', 'update', '--subresource', 'scale'],
    row: 'replicas/replicas.example.com  no: rules: no rule matches UPDATE deployments/scale of apps v1: it is for CREATE|UPDATE deployments of apps v1',
    line: '  ! rules: wants CREATE|UPDATE deployments of apps v1 [Equivalent]; saw UPDATE deployments/scale of apps v1',
    change: ['state.yaml', 'resources: [deployments]', 'resources: [deployments, deployments/scale]'],
    changed: 'replicas.example.com  yes',
  },
  {
    name: 'star',
    args: ['--operation', 'connect', '--subresource', 'exec', '--', 'ls'],
    row: 'audit/audit.example.com  no: rules: no rule matches CONNECT pods/exec of the core group v1: it is for * * of * *',
    line: '  ! rules: wants * * of * * [Equivalent]; saw CONNECT pods/exec of core v1',
    change: ['state.yaml', "resources: ['*']", "resources: ['*/*']"],
    changed: 'audit.example.com  yes',
  },
  {
    name: 'cluster-scoped',
    row: 'roles/roles.example.com  yes',
    line: '    namespaceSelector: wants team=b; saw not evaluated: the object is cluster-scoped',
    change: ['state.yaml', "resources: ['*']", "resources: ['*']\n        scope: Namespaced"],
    changed:
      'roles.example.com  no: rules: no rule matches CREATE clusterroles of rbac.authorization.k8s.io v1: it is for CREATE|UPDATE * of rbac.authorization.k8s.io v1 (Namespaced)',
  },
  {
    name: 'name-label',
    row: 'sidecar/sidecar.example.com  no: namespaceSelector: namespace shop has the labels kubernetes.io/metadata.name=shop',
    line: '  ! namespaceSelector: wants name in (shop); saw namespace shop has kubernetes.io/metadata.name=shop',
    change: ['state.yaml', 'key: name', 'key: kubernetes.io/metadata.name'],
    changed: 'sidecar.example.com  yes',
  },
  {
    name: 'namespace-labels',
    row: 'namespaces/namespaces.example.com  no: namespaceSelector: namespace new has the labels env=dev,kubernetes.io/metadata.name=new',
    line: '  ! namespaceSelector: wants env=prod; saw namespace new has env=dev,kubernetes.io/metadata.name=new',
    change: ['object.yaml', 'env: dev', 'env: prod'],
    changed: 'namespaces.example.com  yes',
  },
  {
    name: 'delete-condition',
    args: ['--operation', 'delete'],
    row: "guard/guard.example.com  no: matchConditions: expression 'object.metadata.labels['protected'] == 'yes'' resulted in error: no such key: metadata",
    line: "  ! matchConditions: wants protected: object.metadata.labels['protected'] == 'yes'; saw error: no such key: metadata",
    change: ['state.yaml', 'expression: object.', 'expression: oldObject.'],
    changed: 'guard.example.com  yes',
  },
  {
    name: 'label-removed',
    args: ['--operation', 'update'],
    row: 'strict/strict.example.com  yes',
    line: '    objectSelector: wants policy=strict; saw labels policy=none, before policy=strict',
    change: ['state.yaml', 'labels: {policy: strict}', 'labels: {policy: none}'],
    changed: 'strict.example.com  no: objectSelector: the object has the labels policy=none',
  },
];

async function explained(object: string, state: string, args: readonly string[] = []): Promise<string[]> {
  const { stdout } = await runCommand(Match, ['-f', object, '--state', state, '--explain', ...args]);
  return stdout.split('\n');
}

describe('match --explain', () => {
  it.each(surprises)('shows why: $name', async ({ name, args, row, line }) => {
    const lines = await explained(`fixtures/match/${name}/object.yaml`, `fixtures/match/${name}/state.yaml`, args);
    expect(lines.filter(one => one.includes(row.split('  ', 1)[0] ?? ''))).toEqual([expect.stringMatching(/^(mutating|validating) +/)]);
    expect(lines.map(one => one.replace(/^(mutating|validating) +/, ''))).toContain(row);
    expect(lines).toContain(line);
  });

  it.each(surprises)('shows that the value decides: $name', async ({ name, args, change: [file, from, to], changed }) => {
    const files = ['object.yaml', 'state.yaml'].map(one => {
      const text = readFileSync(`fixtures/match/${name}/${one}`, 'utf8');
      const copy = path.join(folder.folder, one);
      if (one === file) expect(text).toContain(from);
      writeFileSync(copy, one === file ? text.replace(from, to) : text);
      return copy;
    });
    const lines = await explained(files[0] ?? '', files[1] ?? '', args);
    expect(lines.join('\n')).toContain(`${changed}\n`);
  });

  it('lists webhooks that get an object which only the conversion webhook can make, without its match conditions', async () => {
    const args = ['-f', 'fixtures/match/conversion/object.yaml', '--state', 'fixtures/match/conversion/state.yaml'];
    const { stdout, exitCode } = await runCommand(Match, args);
    expect(stdout.split('\n').slice(2, 5)).toEqual([
      'validating  widgets/v1.widgets.example.com     yes, as shop.example.com/v1 Widget, if its match conditions allow it: only the conversion webhook knows this object',
      'validating  widgets/v2.widgets.example.com     yes',
      'validating  widgets/exact.widgets.example.com  no: rules: no rule matches CREATE widgets of shop.example.com v2: it is for CREATE widgets of shop.example.com v1',
    ]);
    expect(exitCode).toBe(0);
    const { stdout: bodies, exitCode: requested } = await runCommand(Request, args);
    const reviews = bodies
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(reviews.map(({ kind, request }) => [kind, request.desiredAPIVersion ?? request.object.apiVersion])).toEqual([
      ['ConversionReview', 'shop.example.com/v1'],
      ['AdmissionReview', 'shop.example.com/v2'],
      ['ConversionReview', 'shop.example.com/v1'],
    ]);
    expect(requested).toBe(0);
  });

  it('shows which of several conditions is false, and which errors', async () => {
    const text = readFileSync('fixtures/match/delete-condition/state.yaml', 'utf8').replace(
      'matchConditions:',
      "matchConditions:\n      - {name: deleting, expression: request.operation == 'DELETE'}\n      - {name: admin, expression: request.dryRun}",
    );
    const state = path.join(folder.folder, 'conditions.yaml');
    writeFileSync(state, text);
    const lines = await explained('fixtures/match/delete-condition/object.yaml', state, ['--operation', 'delete']);
    expect(lines.filter(line => line.includes('matchConditions: wants'))).toEqual([
      "    matchConditions: wants deleting: request.operation == 'DELETE'; saw did not decide",
      '  ! matchConditions: wants admin: request.dryRun; saw false',
      "    matchConditions: wants protected: object.metadata.labels['protected'] == 'yes'; saw did not decide",
    ]);
  });

  it('shows the webhook whose conditions refuse the request', async () => {
    const state = path.join(folder.folder, 'refusing.yaml');
    writeFileSync(
      state,
      readFileSync('fixtures/match/delete-condition/state.yaml', 'utf8').replace('failurePolicy: Ignore', 'failurePolicy: Fail'),
    );
    const lines = await explained('fixtures/match/delete-condition/object.yaml', state, ['--operation', 'delete']);
    expect(lines[2]).toBe(
      "validating  guard/guard.example.com  refused: matchConditions: expression 'object.metadata.labels['protected'] == 'yes'' resulted in error: no such key: metadata",
    );
  });
});
