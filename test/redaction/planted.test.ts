import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import Fuzz from '../../commands/fuzz.js';
import Lint from '../../commands/lint.js';
import Match from '../../commands/match.js';
import Replay from '../../commands/replay.js';
import ReportMerge from '../../commands/report/merge.js';
import Review from '../../commands/review.js';
import Test from '../../commands/test.js';
import { type CommandClass, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { manifestsOf, manifestsText, quotingState, searchFor } from './planted-manifests.js';
import { plantedSecrets } from './planted-secrets.js';

const planted = plantedSecrets(8);
/** One of each kind, where a run for each format would take long. */
const few = plantedSecrets(1);
const foundIn = searchFor(planted);

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
  'all.json': manifestsText(planted),
  'few.json': manifestsText(few),
  'state/policy.json': quotingState,
});
afterAll(remove);

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
    const { folder: cwd, remove: clean } = temporaryFolder({ ...manifests, 'state/policy.json': quotingState });
    try {
      const argv = ['cases', '--state', 'state', '--demo', ...reporters.flatMap(name => ['--reporter', `${name}=reports/${name}`])];
      const { stdout, stderr } = await runCommand(Test, argv, { cwd });
      expect(foundIn(stdout + stderr)).toEqual([]);
      const written = filesBelow(cwd).filter(file => !/cases\/\d+\.json$/.test(file));
      expect(written.length).toBeGreaterThan(few.length);
      const merged = await runCommand(
        ReportMerge,
        ['reports/json', ...reporters.flatMap(name => ['--reporter', `${name}=merged/${name}`])],
        { cwd },
      );
      expect(foundIn(merged.stdout + merged.stderr)).toEqual([]);
      for (const file of [...written, ...filesBelow(path.join(cwd, 'merged'))])
        expect([path.relative(cwd, file), foundIn(readFileSync(file, 'utf8'))]).toEqual([path.relative(cwd, file), []]);
    } finally {
      clean();
    }
  });

  it.each<[string, CommandClass, readonly string[]]>([
    ['match -o text', Match, ['-f', 'few.json', '--state', 'state']],
    ['match -o json', Match, ['-f', 'few.json', '--state', 'state', '-o', 'json']],
    ...['text', 'json', 'sarif', 'gitlab'].map((output): [string, CommandClass, readonly string[]] => [
      `lint -o ${output}`,
      Lint,
      ['-f', 'all.json', '-f', 'state', '-o', output],
    ]),
    ['replay -o json', Replay, ['-f', 'audit.log', '--state', 'state', '-o', 'json']],
    ['replay -o html', Replay, ['-f', 'audit.log', '--state', 'state', '-o', 'html', '--checkpoint', 'progress']],
    ['fuzz', Fuzz, ['-f', 'few.json', '--state', 'state', '--runs', '1', '--write', 'found']],
  ])('are not in what %s prints or writes', async (_, command, argv) => {
    const { stdout, stderr, exitCode } = await runCommand(command, argv, { cwd: folder });
    expect([[2, 70].includes(exitCode), stdout.length + stderr.length > 0]).toEqual([false, true]);
    expect(foundIn(stdout + stderr)).toEqual([]);
    const given = ['all.json', 'few.json', 'audit.log', 'state/policy.json'];
    const written = filesBelow(folder).filter(file => !given.includes(path.relative(folder, file)));
    expect(written.filter(file => foundIn(readFileSync(file, 'utf8')).length > 0)).toEqual([]);
  });

  it.each<[string, CommandClass, readonly string[]]>([
    ['review', Review, ['--demo']],
    ['match', Match, []],
  ])('are not in the page of %s --open', async (_, command, argv) => {
    const { stdout, stderr } = await runCommand(command, ['-f', 'few.json', '--state', 'state', ...argv, '--open'], {
      cwd: folder,
      env: { BROWSER: 'none' },
    });
    const page = /^report: (.*)$/m.exec(stderr)?.[1] ?? '';
    const html = readFileSync(page, 'utf8');
    rmSync(path.dirname(page), { recursive: true });
    expect([foundIn(stdout + stderr), foundIn(html)]).toEqual([[], []]);
  });

  it('are in the bodies that -o request asks for', async () => {
    const { stdout } = await runCommand(Review, ['-f', 'few.json', '--demo', '-o', 'request'], { cwd: folder });
    expect(foundIn(stdout)).toContain('CLIENT_SECRET');
  });
});
