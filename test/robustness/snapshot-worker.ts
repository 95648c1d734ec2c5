import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from '../../src/cli/main.js';
import { processSurroundings } from '../../src/cli/shell/process-surroundings.js';
import { writeWhole } from '../../src/files/replace-file.js';

/**
 * Continuously changes manifests and accepts the results until it is killed: `node dist/test/robustness/snapshot-worker.js FOLDER`.
 * Writes to stdout after the first turn.
 */
const [folder = '.'] = process.argv.slice(2);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const stream = { isTerminal: false, write: () => {}, flush: async () => {} };
const surroundings = { ...processSurroundings(), stdout: stream, stderr: stream, cwd: folder, env: {} };

const images = ['nginx:1', 'nginx:2'] as const;
const names = ['a', 'b', 'c', 'd', 'e', 'f'];

for (let turn = 0; ; turn += 1) {
  for (const name of names) await writeWhole(path.join(folder, `${name}.yaml`), manifest(name, images[turn % 2] ?? ''));
  await main(['test', '.', '--demo', '--update'], root, surroundings);
  if (turn === 0) process.stdout.write('ready\n');
}

function manifest(name: string, image: string): string {
  return `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, namespace: default, annotations: {demo.webhook-cli.dev/sidecar: "true", image: "${image}"}}\nspec:\n  automountServiceAccountToken: false\n  containers: [{name: c, image: "${image}"}]\n`;
}
