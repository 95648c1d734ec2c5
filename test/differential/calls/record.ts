import { readFileSync, writeFileSync } from 'node:fs';
import { layOutLines } from '../../support/line-layout.js';
import { openHooks } from './hooks.js';
import { play, started } from './play.js';
import type { RecordedCall, RecordedCalls } from './recorded-calls.js';
import type { Scene } from './scene.js';

/**
 * Plays the scenes of a file, `{"flags": [], "scenes": []}`, at a real API server and in the project. Prints the differences; with a second
 * file, writes the server's answers to it, for test/apiserver/recorded-calls.test.ts.
 * `KUBE_APISERVER=https://127.0.0.1:PORT KUBE_TOKEN=... node dist/test/differential/calls/record.js SCENES [RECORDING]`
 */
const [, , from = '', to] = process.argv;
const { flags, scenes } = JSON.parse(readFileSync(from, 'utf8')) as { readonly flags: string[]; readonly scenes: Scene[] };
const hooks = await openHooks();
const calls: RecordedCall[] = [];
let different = 0;
for (const scene of scenes) {
  const played = await play(scene, { hooks, shared: [], flags });
  if (played === undefined) {
    console.log(`setup refused: ${JSON.stringify(scene).slice(0, 500)}`);
    continue;
  }
  const { expected, found, objects } = played;
  calls.push({ objects: objects.map(text => JSON.parse(text)), call: played.scene.call, expected });
  if (expected === found) continue;
  different += 1;
  console.log(`${JSON.stringify(scene.call).slice(0, 300)}\n  expected ${expected.slice(0, 1000)}\n  found    ${found.slice(0, 1000)}`);
}
const recording: RecordedCalls = { started, flags, calls };
if (to !== undefined) writeFileSync(to, layOutLines(JSON.stringify(recording)));
console.log(`${different} differences in ${calls.length} calls`);
process.exit(different > 0 ? 1 : 0);
