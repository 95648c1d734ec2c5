import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/**
 * Loaded before the program in every thread: records which scripts got a code cache, and whether V8 accepted it. With V8 13 and later the main thread changes a flag
 * while its young space grows; here it has always done that before a thread loads the program.
 */
const recorder = `
const { appendFileSync } = require('node:fs');
const vm = require('node:vm');
const { isMainThread } = require('node:worker_threads');
if (!isMainThread && Number.parseInt(process.versions.v8, 10) >= 13) require('node:v8').setFlagsFromString('--semi-space-growth-factor=3');
const Script = vm.Script;
vm.Script = class extends Script {
  constructor(text, options) {
    super(text, options);
    const part = /^webhook-cli\\/([a-z]+)-/.exec(options?.filename)?.[1];
    const code = options?.cachedData === undefined ? 'none' : this.cachedDataRejected ? 'rejected' : 'used';
    if (part !== undefined) appendFileSync(process.env.RECORDED, (isMainThread ? 'main' : 'thread') + ' ' + part + ' ' + code + '\\n');
  }
};
`;

it('is that of the main thread', { timeout: 60_000 }, () => {
  const { folder, remove } = temporaryFolder();
  try {
    const inFolder = (name: string): string => path.join(folder, name);
    mkdirSync(inFolder('pods'));
    for (let i = 0; i < 40; i += 1) copyFileSync(path.join(root, 'fixtures/manifests/pod-sidecar.yaml'), inFolder(`pods/${i}.yaml`));
    writeFileSync(inFolder('recorder.cjs'), recorder);
    const run = (recorded: string): string[] => {
      const argv = [
        '--require',
        inFolder('recorder.cjs'),
        path.join(root, 'bin/run.js'),
        'test',
        'pods',
        '--demo',
        '--jobs',
        '2',
        '--update',
      ];
      const env = { ...process.env, XDG_CACHE_HOME: inFolder('cache'), RECORDED: inFolder(recorded) };
      execFileSync(process.execPath, argv, { cwd: folder, env, stdio: 'ignore' });
      return readFileSync(inFolder(recorded), 'utf8').trim().split('\n').sort();
    };
    expect(run('first')).toEqual(['main first none', 'main second none', 'thread first none', 'thread second none']);
    expect(run('again')).toEqual(['main first used', 'main second used', 'thread first used', 'thread second used']);
  } finally {
    remove();
  }
});
