import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { developed, plainRounds } from './support/developed.js';

let folder: string;
let remove: () => void;
beforeEach(() => {
  ({ folder, remove } = temporaryFolder());
  cpSync(path.join(root, 'fixtures/suites/limits'), folder, { recursive: true });
});
afterEach(() => remove());

/** A step that edits a file as an editor does. */
function edit(file: string, from: string | RegExp, to: string): () => void {
  return () => {
    const text = readFileSync(path.join(folder, file), 'utf8');
    expect(text).toMatch(from);
    writeFileSync(path.join(folder, file), text.replace(from, to));
  };
}

const suite = 'limits.webhook-test.yaml';
const secondContainer = '  - {name: cache, image: "registry.example.com/cache:1"}\n';

describe('dev with a webhook that reads its API server', { timeout: 120_000 }, () => {
  it.each([
    ['named in its command', () => {}],
    ['found in the variable KUBECONFIG', () => fromEnvironment()],
  ])('%s, shows what changes of the state, the manifest and the code do', async (_, prepare) => {
    prepare();
    const { stdout, stderr } = await developed(
      folder,
      ['.'],
      [
        edit('cluster.yaml', '{containers: "1"}', '{containers: "2"}'),
        edit('cluster.yaml', '{containers: "2"}', '{containers: "1"}'),
        edit('pod.yaml', secondContainer, ''),
        edit('server.mjs', 'const max = Number(limits.data?.containers ?? 1);', 'const max = 0;'),
      ],
    );
    expect(plainRounds(stdout).filter(line => !line.startsWith('      '))).toEqual([
      'started: 2 calls',
      '  ✓ above the limit: CREATE Pod shop/web: passed, refused (403)',
      '  ✓ a higher limit: CREATE Pod shop/web: passed, allowed (201)',
      'cluster.yaml changed: 1 of 2 calls changed',
      '  ✗ above the limit: CREATE Pod shop/web: passed, refused (403) -> failed, allowed (201)',
      'cluster.yaml changed: 1 of 2 calls changed',
      '  ✓ above the limit: CREATE Pod shop/web: failed, allowed (201) -> passed, refused (403)',
      'pod.yaml changed: 2 of 2 calls changed',
      '  ✗ above the limit: CREATE Pod shop/web: passed, refused (403) -> failed, allowed (201)',
      '  ✓ a higher limit: CREATE Pod shop/web: passed, allowed (201)',
      'server.mjs changed: 2 of 2 calls changed',
      '  ✗ above the limit: CREATE Pod shop/web: failed, allowed (201) -> failed, refused (403)',
      '  ✗ a higher limit: CREATE Pod shop/web: passed, allowed (201) -> failed, refused (403)',
    ]);
    expect(stderr).toContain('watching for changes');
  });
});

/** The process finds its API server as client libraries do. */
function fromEnvironment(): void {
  edit(suite, ', "$' + '{KUBECONFIG}"]', ']')();
  edit(suite, 'url: ', 'apiserver: true\nurl: ')();
  edit('server.mjs', 'readFileSync(kubeconfigFile', 'readFileSync(process.env.KUBECONFIG')();
}
