import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import Replay from '../../commands/replay.js';
import ReportMerge from '../../commands/report/merge.js';
import { handleCall } from '../../src/apiserver/handle-call.js';
import { effectsFor } from '../../src/cli/shell/effects.js';
import { clusterStateWith } from '../support/cluster-state.js';
import { root, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const manifest = readFileSync(path.join(root, 'fixtures/ci/replay-job.yaml'), 'utf8');
const script = /command: \[sh, -c, '(.*)'\]/.exec(manifest)?.[1] ?? '';
const completions = Number(/completions: (\d+)/.exec(manifest)?.[1]);

const { folder, remove } = temporaryFolder({
  'bin/webhook-cli': '#!/bin/sh\nfor word in "$@"; do echo "$word"; done\n',
  'reports/.keep': '',
});
afterAll(remove);

describe('the Indexed Job of docs/replay.md', () => {
  it('is valid for the API server', async () => {
    const call = {
      method: 'POST',
      path: '/apis/batch/v1/namespaces/default/jobs',
      contentType: 'application/yaml',
      body: Buffer.from(manifest),
    };
    const effects = effectsFor(async () => ({ outcome: 'noClient', message: '' }), { seed: 1 });
    const { decision } = await handleCall(call, clusterStateWith(), effects);
    expect([decision.code, decision.status?.get('message')]).toEqual([201, undefined]);
  });

  it.skipIf(process.platform === 'win32')('makes every part of a replay, and the parts are merged to that of one run', async () => {
    chmodSync(path.join(folder, 'bin/webhook-cli'), 0o755);
    cpSync(path.join(root, 'fixtures/replay/audit.log'), path.join(folder, 'logs/audit.log'));
    cpSync(path.join(root, 'fixtures/replay/policy.yaml'), path.join(folder, 'policies/policy.yaml'));
    const env = { PATH: `${path.join(folder, 'bin')}:${process.env['PATH']}` };
    const merged: string[] = [];
    for (let index = 0; index < completions; index += 1) {
      // What the container runs, with its volumes in a folder. The program in it prints its arguments.
      const inFolder = script.replaceAll(/ (?=\/(?:logs|policies|reports)\b)/g, ` ${folder}`);
      execFileSync('sh', ['-c', inFolder], { env: { ...env, JOB_COMPLETION_INDEX: String(index) } });
      const report = path.join(folder, `reports/${index}.json`);
      const [command, ...words] = readFileSync(report, 'utf8').trimEnd().split('\n');
      expect(command).toBe('replay');
      const { stdout } = await runCommand(Replay, words, { cwd: folder });
      writeFileSync(report, stdout);
      merged.push(report);
    }
    const whole = await runCommand(Replay, ['-f', path.join(folder, 'logs'), '--state', path.join(folder, 'policies')], { cwd: folder });
    expect(completions).toBeGreaterThan(1);
    expect(whole.stdout).toContain('17 calls compared');
    expect(await runCommand(ReportMerge, merged, { cwd: folder })).toEqual(whole);
  });
});
