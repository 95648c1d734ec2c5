import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import Convert from '../../../commands/convert.js';
import Diagnose from '../../../commands/diagnose.js';
import Fuzz from '../../../commands/fuzz.js';
import Lint from '../../../commands/lint.js';
import Match from '../../../commands/match.js';
import Replay from '../../../commands/replay.js';
import ReportMerge from '../../../commands/report/merge.js';
import Request from '../../../commands/request.js';
import Review from '../../../commands/review.js';
import SnapshotList from '../../../commands/snapshot/list.js';
import Test from '../../../commands/test.js';
import Trust from '../../../commands/trust.js';
import Wait from '../../../commands/wait.js';
import { as, type CommandReader, fixture, inFiles, reader, reviewed } from './command-reader.js';
import type { Reader } from './reader.js';

const lastRun = (cases: string): Buffer => Buffer.from(`${cases}\n${createHash('sha256').update(cases).digest('hex')}\n`);

const suite = (more: string): string =>
  `apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\n${more}\ncases:\n- name: a\n  filename: pod.yaml\n  expect: {allowed: true}\n`;

const manifests: readonly CommandReader[] = [
  {
    name: 'manifests and captures',
    command: Review,
    argv: ['--demo', '-f', 'input', '-o', 'name'],
    sources: ['src/cli/work/input/read-manifests.ts', inFiles],
  },
  { name: 'manifests of stdin', command: Review, argv: ['--demo', '-f', '-', '-o', 'name'], sources: [inFiles] },
  {
    name: 'manifests of a folder',
    command: Review,
    argv: ['--demo', '-f', 'found', '-o', 'name'],
    sources: [inFiles],
    prepare: as('found/a.yaml', 'found/b.json'),
  },
  { name: 'objects of requests', command: Request, argv: ['-f', 'input', '--old', 'input'], sources: ['src/cli/work/calls/plan-calls.ts'] },
  {
    name: 'patches',
    command: Request,
    argv: ['--operation', 'patch', '-f', 'pod.yaml', '--old', 'pod.yaml', '--patch-file', 'input'],
    sources: ['src/cli/work/calls/plan-calls.ts'],
  },
  { name: 'calls', command: Request, argv: ['--call', 'input'], sources: ['src/cli/work/calls/plan-calls.ts'] },
  { name: 'captured reviews', command: Request, argv: ['--from-review', 'input'], sources: ['src/cli/work/calls/plan-calls.ts'] },
  {
    name: 'recorded cases',
    command: Request,
    argv: ['--case', 'input'],
    sources: ['src/cli/work/calls/print-cases.ts'],
    samples: [fixture('cases/selection.json')],
  },
  {
    name: 'recorded cases of conversions',
    command: Convert,
    argv: ['--case', 'input'],
    sources: ['src/cli/work/calls/print-cases.ts'],
    samples: [fixture('cases/selection.json')],
  },
  {
    name: 'kustomizations beside configurations',
    command: Lint,
    argv: ['-R', '-f', 'found'],
    sources: ['src/cli/commands/lint/kustomize-files.ts'],
    samples: [Buffer.from('resources: [a.yaml]\npatches: [{path: b.yaml}]\npatchesStrategicMerge: [c.yaml]\n')],
    prepare: as('found/kustomization.yaml', 'found/a.yaml'),
  },
  { name: 'configurations', command: Lint, argv: ['-f', 'input'], sources: [inFiles] },
  {
    name: 'configurations with defaults',
    command: Lint,
    argv: ['-f', 'input', '--defaulted'],
    sources: ['src/cli/commands/lint/run-lint.ts'],
  },
  { name: 'states', command: Match, argv: ['-f', 'pod.yaml', '--state', 'input'], sources: ['src/cli/work/input/state.ts'] },
  {
    name: 'definitions',
    command: Convert,
    argv: ['-f', 'pod.yaml', '--state', 'input', '--to', 'v1'],
    sources: ['src/cli/work/conversions/definitions.ts'],
  },
  {
    name: 'answers to compare with',
    command: Review,
    argv: [...reviewed, '--compare', 'input'],
    sources: ['src/cli/work/checks/comparison.ts'],
  },
  {
    name: 'objects that must never exist',
    command: Fuzz,
    argv: ['--demo', '--forbidden', 'input', '--runs', '3', '--kind', 'pods'],
    sources: [inFiles],
  },
  {
    name: 'webhooks to wait for',
    command: Wait,
    argv: ['-f', 'input', '--timeout', '1ms', '--interval', '1ms'],
    sources: ['src/cli/commands/wait/awaited-webhooks.ts'],
  },
  {
    ...{ name: 'kustomizations', command: Lint, argv: ['-k', 'built'], sources: ['src/cli/work/input/remote-resources.ts'] },
    samples: [Buffer.from('resources: [a, https://example.com/x]\ncomponents:\n- b\n'), Buffer.from('resources:\n- {}\n')],
    prepare: as('built/kustomization.yaml'),
  },
];

const logs: readonly CommandReader[] = [
  {
    ...{ name: 'audit logs', command: Replay, argv: ['-f', 'input', '--demo'], sources: ['src/cli/commands/replay/log-lines.ts'] },
    samples: [fixture('replay/audit.log'), gzipSync(fixture('replay/audit.log')), Buffer.from('28b52ffd0458210000617564697420', 'hex')],
  },
  {
    name: 'a folder of logs',
    command: Replay,
    argv: ['-f', 'found', '--demo'],
    sources: ['src/cli/commands/replay/log-lines.ts'],
    prepare: as('found/a.log'),
  },
  {
    ...{
      name: 'checkpoints',
      command: Replay,
      argv: ['-f', 'log', '--demo', '--checkpoint', 'input'],
      sources: ['src/cli/commands/replay/checkpoint.ts'],
    },
    samples: [Buffer.from('{"apiVersion":"webhook-cli.dev/v1alpha1","kind":"ReplayCheckpoint","run":"a","sealed":"AAAA"}')],
    prepare: (input, file) => {
      writeFileSync(file('input'), input);
      writeFileSync(file('log'), fixture('replay/audit.log'));
    },
  },
  { name: 'messages', command: Diagnose, argv: ['-f', 'input'], sources: [inFiles] },
];

const suites: readonly CommandReader[] = [
  {
    name: 'suites',
    command: Test,
    argv: ['input.webhook-test.yaml'],
    sources: ['src/cli/work/suites/load-suites.ts'],
    prepare: as('input.webhook-test.yaml'),
  },
  {
    name: 'suites that are found',
    command: Test,
    argv: ['found', '--demo'],
    sources: ['src/suites/find-suites.ts'],
    prepare: as('found/a.webhook-test.yaml', 'found/pod.yaml'),
  },
  {
    name: 'suites to trust',
    command: Trust,
    argv: [],
    sources: ['src/cli/commands/trust/run-trust.ts'],
    prepare: as('a.webhook-test.yaml'),
  },
  {
    ...{ name: 'snapshots', command: Test, argv: ['taken', '--demo'] },
    sources: ['src/suites/snapshots/compare.ts', 'src/suites/snapshots/own-files.ts'],
    samples: [fixture('suites/demo/__snapshots__/pods.sidecar.yaml')],
    prepare: (input, file) => {
      writeFileSync(file('taken/pod.yaml'), readFileSync(file('pod.yaml')));
      as('taken/__snapshots__/pod.yaml', 'taken/__snapshots__/pod.yaml.new')(input, file);
    },
  },
  {
    name: 'pending snapshots',
    command: SnapshotList,
    argv: ['taken'],
    sources: ['src/suites/snapshots/own-files.ts'],
    prepare: as('taken/__snapshots__/pod.yaml', 'taken/__snapshots__/pod.yaml.new'),
  },
  {
    ...{ name: 'the record of the last run', command: Test, argv: ['cases.webhook-test.yaml', '--last-failed'] },
    ...{ sources: ['src/cli/commands/test/last-run.ts'], samples: [lastRun('["cases.webhook-test.yaml > a"]'), lastRun('{}')] },
    prepare: (input, file) => {
      writeFileSync(file('cases.webhook-test.yaml'), suite('demo: true'));
      const folder = createHash('sha256')
        .update(path.dirname(file('input')))
        .digest('hex')
        .slice(0, 16);
      as(`.cache/webhook-cli/last-failed/${folder}.json`)(input, file);
    },
  },
  {
    name: 'reports to merge',
    command: ReportMerge,
    argv: ['input', 'input'],
    sources: ['src/cli/commands/report/merge-reports.ts'],
    samples: [fixture('reports/shard-1.json'), fixture('reports/shard-2.json')],
  },
  {
    ...{
      name: 'output of a process under test',
      command: Test,
      argv: ['process.webhook-test.yaml'],
      sources: ['src/suites/process/launch.ts'],
    },
    prepare: (_, file) => writeFileSync(file('process.webhook-test.yaml'), suite('exec: {command: cat input, ready-timeout: 1s}')),
  },
];

/** Programs of the user whose output is read, in place of kubectl. */
export function kustomizedReader(bin: string): Reader {
  const kubectl = path.join(bin, 'kubectl');
  const inner = reader({
    name: 'what kubectl builds',
    command: Lint,
    argv: ['-k', 'built'],
    sources: ['src/cli/work/input/build-manifests.ts'],
  });
  return {
    ...inner,
    read: async (input, folder) => {
      mkdirSync(bin, { recursive: true });
      writeFileSync(kubectl, `#!/bin/sh\nexec /bin/cat '${path.join(folder, 'input')}'\n`);
      chmodSync(kubectl, 0o755);
      const searchPath = process.env['PATH'];
      process.env['PATH'] = `${bin}${path.delimiter}${searchPath}`;
      try {
        return await inner.read(input, folder);
      } finally {
        process.env['PATH'] = searchPath;
      }
    },
  };
}

/** Readers of objects, logs, suites and reports, through the command that reads them. */
export const inputReaders: readonly Reader[] = [...manifests, ...logs, ...suites].map(reader);
