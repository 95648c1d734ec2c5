import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Replay from '../../commands/replay.js';
import ReportMerge from '../../commands/report/merge.js';
import Test from '../../commands/test.js';
import { unprintable } from '../../src/writers/printable.js';
import { root, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** How many values each member is replaced by; `DAMAGED_REPORTS=12` for all of them. */
const valuesOfMember = Number(process.env['DAMAGED_REPORTS'] ?? 2);
const values: readonly unknown[] = [
  ...[null, -1, 1e308, 0.5, 'x', '', [], {}, true, '2026-99-99T00:00:00Z', '\u001b[31m\n::error::x'],
  JSON.parse('{"__proto__": 1, "constructor": {"a": 1}}'),
];

type Step = string | number;

/** Returns the ways to all members; of lists, to those of the first item. */
function waysIn(value: unknown, way: readonly Step[] = []): (readonly Step[])[] {
  const inner = Array.isArray(value) ? value.slice(0, 1).map((item, i) => [i, item] as const) : Object.entries(value ?? {});
  const members = typeof value === 'object' ? inner : [];
  return [...(way.length === 0 ? [] : [way]), ...members.flatMap(([step, member]) => waysIn(member, [...way, step]))];
}

function replaced(value: unknown, [step, ...rest]: readonly Step[], by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((item, i) => (i === step ? replaced(item, rest, by) : item));
  const members = Object.entries(value ?? {}).map(([key, member]) => [key, key === step ? replaced(member, rest, by) : member]);
  return Object.fromEntries(members);
}

let folder: string;
let remove: () => void;
beforeAll(async () => {
  ({ folder, remove } = temporaryFolder({
    'pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: default}\nspec: {containers: [{name: a, image: "a:1"}]}\n',
    'audit.log': readFileSync(path.join(root, 'fixtures/replay/audit.log'), 'utf8'),
  }));
  const options = { cwd: folder, env: { HOME: folder } };
  for (const i of [1, 2]) {
    const shard = ['--shard', `${i}/2`];
    await runCommand(Test, ['pod.yaml', '--demo', '--include', 'steps', '--reporter', `json=test-${i}.json`, ...shard], options);
    const { stdout } = await runCommand(Replay, ['-f', 'audit.log', '--demo', '-o', 'json', ...shard], options);
    writeFileSync(path.join(folder, `replay-${i}.json`), stdout);
  }
});
afterAll(() => remove());

describe('a report of a shard with another value in place of one of its members', { timeout: 20_000 + valuesOfMember * 60_000 }, () => {
  it.each(['test', 'replay'])('is merged or named, and is no error of ours: %s', async name => {
    const files = [1, 2].map(i => `${name}-${i}.json`);
    const whole = files
      .map(file => JSON.parse(readFileSync(path.join(folder, file), 'utf8')))
      .sort((a, b) => JSON.stringify(b).length - JSON.stringify(a).length);
    const ways = waysIn(whole[0]);
    expect(ways.length).toBeGreaterThan(80);
    writeFileSync(path.join(folder, 'other.json'), JSON.stringify(whole[1]));
    const fallen: object[] = [];
    for (const [i, way] of ways.entries()) {
      for (let n = 0; n < valuesOfMember; n += 1) {
        const value = values[(i * valuesOfMember + n) % values.length];
        writeFileSync(path.join(folder, 'damaged.json'), JSON.stringify(replaced(whole[0], way, value)));
        const reporters = ['default', 'html=a.html', ...(name === 'test' ? ['junit=a.xml', 'sarif=a.sarif'] : [])].flatMap(each => [
          '--reporter',
          each,
        ]);
        const { exitCode, stdout, stderr } = await runCommand(ReportMerge, ['damaged.json', 'other.json', ...reporters], {
          cwd: folder,
          env: { NO_COLOR: '1' },
        });
        const hasControls = unprintable.test(stdout + stderr);
        if (exitCode === 70 || hasControls) fallen.push({ way, value, exitCode, stderr, hasControls });
      }
    }
    expect(fallen).toEqual([]);
  });
});
