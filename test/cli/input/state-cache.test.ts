import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readStateManifests } from '../../../src/cli/work/input/state-cache.js';
import { type InputFile, type LocatedManifest, storedManifests } from '../../../src/client/manifests/manifests.js';
import { writeValue } from '../../../src/go/json/write.js';
import { seeded } from '../../redaction/planted-secrets.js';
import { server } from '../../support/server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let folder: string;
let cache: string;
let remove: () => void;

beforeEach(() => {
  ({ folder, remove } = temporaryFolder({}));
  cache = path.join(folder, 'states');
});
afterEach(() => remove());

const filler = 'x'.repeat(70_000);
const list = `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: a}
  data: {"10": "1", "9": é😀, text: ${filler}}
- apiVersion: example.com/v1
  kind: Thing
  metadata: {name: b}
  spec: {int: 1, float: 1.5, whole: 2.0, large: 9007199254740993, none: null, list: [[], {}, true]}
`;
const single =
  '# first\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: other\n';
const raw = '{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"r"},"data":{ "a" : 1 },"revision":1}';
const files = [file('list.yaml', list), file('single.yaml', single), file('raw.json', raw)];

describe('the cache of parsed states', () => {
  it('returns the same objects and positions when an entry is written, found and read again', async () => {
    const expected = files.flatMap(value => storedManifests(server, value));
    for (let run = 0; run < 2; run += 1) {
      const manifests = await readStateManifests(server, files, cache);
      expect(manifests.map(shown)).toEqual(expected.map(shown));
      expect(manifests[0]?.list?.get('items')).toEqual(manifests.slice(0, 2).map(({ object }) => object));
      expect(manifests[1]?.list).toBe(manifests[0]?.list);
      expect(readdirSync(cache)).toHaveLength(1);
    }
  });

  it('reads an entry instead of the files, and names them as given', async () => {
    await readStateManifests(server, files, cache);
    change(text => text.replace('"team"', '"kept"'));
    const [, , namespace] = await readStateManifests(
      server,
      files.map((one, i) => ({ ...one, source: `${i}.yaml` })),
      cache,
    );
    expect(namespace?.object.get('metadata')).toEqual(new Map([['name', 'kept']]));
    expect(namespace?.location).toEqual({ file: '1.yaml', line: 3, column: 1 });
    expect(namespace?.locate('/metadata/name')).toEqual({ file: '1.yaml', line: 5, column: 12 });
  });

  it.each([
    ['empty', () => ''],
    ['cut', (text: string) => text.slice(0, -100)],
    ['changed', (text: string) => text.replace('"team"', '"evil"')],
    ['of another format', () => 'x\n{}'],
  ])('ignores an entry that is %s, and writes it again', async (_, damage) => {
    await readStateManifests(server, files, cache);
    const [name = ''] = readdirSync(cache);
    const entry = path.join(cache, name);
    const good = readFileSync(entry, 'utf8');
    writeFileSync(entry, damage(good));
    expect((await readStateManifests(server, files, cache)).map(shown)).toEqual(
      files.flatMap(value => storedManifests(server, value)).map(shown),
    );
    expect(readFileSync(entry, 'utf8')).toBe(good);
  });

  it('is never believed after any damage', async () => {
    const expected = JSON.stringify(toPlain(files.flatMap(value => storedManifests(server, value))));
    await readStateManifests(server, files, cache);
    const [name = ''] = readdirSync(cache);
    const entry = path.join(cache, name);
    const good = readFileSync(entry);
    const next = seeded(36);
    const wrong: number[] = [];
    for (let run = 0; run < 100; run += 1) {
      const at = Math.floor(next() * good.length);
      const other = Math.floor(next() * good.length);
      const damaged = run % 4 === 0 ? good.subarray(0, at) : Buffer.from(good);
      if (run % 4 === 1) damaged[at] = (good[at] ?? 0) ^ (1 << Math.floor(next() * 8));
      if (run % 4 === 2) good.copy(damaged, at, other, other + 50);
      if (run % 4 === 3) damaged.fill(run % 256, at, Math.min(at + 500, good.length));
      writeFileSync(entry, damaged);
      if (JSON.stringify(toPlain(await readStateManifests(server, files, cache))) !== expected) wrong.push(run);
    }
    expect(wrong).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('reads the state if its folder cannot be created, as in /proc', async () => {
    const manifests = await readStateManifests(server, files, '/proc/webhook-cli/states');
    expect(manifests.map(shown)).toEqual(files.flatMap(value => storedManifests(server, value)).map(shown));
  });

  it('throws the same error for a state that cannot be read, and keeps nothing', async () => {
    const broken = [...files, file('broken.yaml', 'apiVersion: v1\nkind: [\n')];
    await expect(readStateManifests(server, broken, cache)).rejects.toThrow(/did not find expected node content/);
    expect(existsSync(cache)).toBe(false);
  });

  it('keeps no Secrets, nothing small, and nothing without a folder', async () => {
    await readStateManifests(server, [...files, file('secret.yaml', 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n')], cache);
    await readStateManifests(server, files.slice(1), cache);
    await readStateManifests(server, files, undefined);
    expect(existsSync(cache)).toBe(false);
  });

  it('keeps a limited number of entries, readable by their owner only', async () => {
    for (let i = 0; i < 18; i += 1) await readStateManifests(server, [file('list.yaml', `# ${i}\n${list}`)], cache);
    expect(readdirSync(cache)).toHaveLength(16);
    if (process.platform !== 'win32') expect(statSync(cache).mode & 0o077).toBe(0);
  });
});

function file(source: string, text: string): InputFile {
  return { source, bytes: Buffer.from(text) };
}

function toPlain(manifests: readonly LocatedManifest[]): unknown {
  return manifests.map(({ object, location }) => [writeValue(object, 'kept'), location]);
}

function shown({ object, source, location, list: around, locate }: LocatedManifest): unknown {
  return { object, source, location, around, name: locate('/metadata/name'), missing: locate('/spec/none') };
}

/** Changes the content of the only entry, and its checksum. */
function change(edit: (text: string) => string): void {
  const entry = path.join(cache, readdirSync(cache)[0] ?? '');
  const json = edit(readFileSync(entry, 'utf8').split('\n')[1] ?? '');
  writeFileSync(entry, `${createHash('sha256').update(json).digest('hex')}\n${json}`);
}
