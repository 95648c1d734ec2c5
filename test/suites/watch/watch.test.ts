import { getEventListeners, once } from 'node:events';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { affected, isIgnored, type WatchedSuite } from '../../../src/suites/watch/affected.js';
import { withOwnSignal } from '../../../src/suites/watch/own-signal.js';
import { batches, type FileWatch, watchFiles } from '../../../src/suites/watch/watch-files.js';
import { watchSuites } from '../../../src/suites/watch/watch-suites.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const pods: WatchedSuite = {
  file: '/w/pods.webhook-test.yaml',
  inputs: ['/w/pods.webhook-test.yaml', '/w/pod.yaml', '/w/state'],
  sources: ['/w/src'],
};
const folder: WatchedSuite = { file: '/w/manifests', inputs: ['/w/manifests'], sources: [] };

describe('suites affected by changed files', () => {
  it.each<[string, string, string[], string[]]>([
    ['a suite file', '/w/pods.webhook-test.yaml', ['pods'], []],
    ['a manifest', '/w/pod.yaml', ['pods'], []],
    ['a file of the state', '/w/state/deep/namespaces.yaml', ['pods'], []],
    ['a new manifest of a folder', '/w/manifests/new.yaml', ['folder'], []],
    ['a source of the process', '/w/src/deep/handler.go', ['pods'], ['pods']],
    ['a neighbor', '/w/state-of-others/x.yaml', [], []],
    ['a folder above', '/w', [], []],
    ['a snapshot', '/w/manifests/__snapshots__/pod.snap.yaml', [], []],
    ['a dependency', '/w/src/node_modules/x/index.js', [], []],
    ["an editor's own file", '/w/manifests/.pod.yaml.swp', [], []],
  ])('%s', (_, file, rerun, restart) => {
    const names = new Map([
      [pods, 'pods'],
      [folder, 'folder'],
    ]);
    const found = affected([file], [pods, folder]);
    const named = (suites: readonly WatchedSuite[]) => suites.map(suite => names.get(suite));
    expect([named(found.rerun), named(found.restart), found.mayBeNew]).toEqual([rerun, restart, false]);
  });

  it('include those of several changes, and possible new suites', () => {
    const found = affected(['/w/manifests/a.yaml', '/w/src/a.ts', '/w/new.webhook-test.yaml'], [pods, folder]);
    expect(found).toEqual({ rerun: [pods, folder], restart: [pods], mayBeNew: true });
  });

  it('ignore files written by tools', () => {
    const names = ['a.yaml~', '.a.yaml.swp', '4913', '.#a.yaml', 'a.tmp', '.git/HEAD', 'a.yaml', '.hidden.yaml'];
    expect(names.filter(name => !isIgnored(path.join('/w', name)))).toEqual(['a.yaml', '.hidden.yaml']);
  });
});

describe('batches', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('wait for a quiet period, and contain each item once', async () => {
    vi.useFakeTimers();
    const handled: (readonly string[])[] = [];
    const gathered = batches<string>(50, async items => void handled.push(items));
    gathered.add('a');
    await vi.advanceTimersByTimeAsync(49);
    gathered.add('b');
    gathered.add('a');
    await vi.advanceTimersByTimeAsync(49);
    expect(handled).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(handled).toEqual([['a', 'b']]);
  });

  it('are handled sequentially', async () => {
    vi.useFakeTimers();
    const handled: (readonly string[])[] = [];
    let finish = (): void => {};
    const gathered = batches<string>(50, items => {
      handled.push(items);
      return new Promise(resolve => {
        finish = resolve;
      });
    });
    gathered.add('a');
    await vi.advanceTimersByTimeAsync(50);
    gathered.add('b');
    await vi.advanceTimersByTimeAsync(500);
    gathered.add('c');
    await vi.advanceTimersByTimeAsync(500);
    expect(handled).toEqual([['a']]);
    finish();
    await vi.advanceTimersByTimeAsync(50);
    expect(handled).toEqual([['a'], ['b', 'c']]);
  });

  it('end with the one being handled', async () => {
    vi.useFakeTimers();
    const handled: (readonly string[])[] = [];
    let finish = (): void => {};
    const gathered = batches<string>(50, items => {
      handled.push(items);
      return new Promise(resolve => {
        finish = resolve;
      });
    });
    gathered.add('a');
    await vi.advanceTimersByTimeAsync(50);
    gathered.add('b');
    const closed = gathered.close();
    finish();
    await closed;
    await vi.advanceTimersByTimeAsync(500);
    expect(handled).toEqual([['a']]);
  });
});

/** Waits for values that arrive in any number of batches. */
function inbox<T>() {
  const seen = new Set<T>();
  let look = (): void => {};
  return {
    put: (items: readonly T[]) => {
      for (const item of items) seen.add(item);
      look();
    },
    /** Resolves when all of these have arrived, and clears them. */
    wait: (...wanted: readonly T[]) =>
      new Promise<void>(resolve => {
        look = () => {
          if (!wanted.every(item => seen.has(item))) return;
          seen.clear();
          resolve();
        };
        look();
      }),
  };
}

describe('watching files', { timeout: 30_000 }, () => {
  let watch: FileWatch | undefined;
  let remove = (): void => {};
  afterEach(async () => {
    await watch?.close();
    remove();
  });

  it('reports files that are changed, replaced, created in new folders and removed', async () => {
    const made = temporaryFolder({ 'a/x.yaml': '1', '__snapshots__/x.snap.yaml': '1' });
    remove = made.remove;
    const at = (name: string): string => path.join(made.folder, name);
    const told = inbox<string>();
    watch = watchFiles({ paths: [made.folder], quietMs: 20, onChange: async files => told.put(files) });
    writeFileSync(at('a/x.yaml'), '2');
    await told.wait(at('a/x.yaml'));
    writeFileSync(at('a/.y'), '3');
    renameSync(at('a/.y'), at('a/x.yaml'));
    await told.wait(at('a/x.yaml'));
    // Recursive watching may have lost the file by now.
    writeFileSync(at('a/x.yaml'), '44');
    await told.wait(at('a/x.yaml'));
    mkdirSync(at('b/c'), { recursive: true });
    writeFileSync(at('b/c/z.yaml'), '1');
    await told.wait(at('b/c/z.yaml'));
    rmSync(at('b'), { recursive: true });
    await told.wait(at('b/c/z.yaml'));
    rmSync(at('a'), { recursive: true });
    mkdirSync(at('a'));
    writeFileSync(at('a/x.yaml'), '5');
    await told.wait(at('a/x.yaml'));
    writeFileSync(at('a/x.yaml'), '66');
    await told.wait(at('a/x.yaml'));
  });

  it('reports files that did not exist yet, and switches to other paths', async () => {
    const made = temporaryFolder({ 'other/y.yaml': '1' });
    remove = made.remove;
    const at = (name: string): string => path.join(made.folder, name);
    const told = inbox<string>();
    watch = watchFiles({ paths: [at('deep/down/x.yaml')], quietMs: 20, onChange: async files => told.put(files) });
    mkdirSync(at('deep/down'), { recursive: true });
    writeFileSync(at('deep/down/x.yaml'), '1');
    await told.wait(at('deep/down/x.yaml'));
    watch.follow([at('other/y.yaml')]);
    writeFileSync(at('other/y.yaml'), '22');
    await told.wait(at('other/y.yaml'));
  });

  it('does not report snapshots', async () => {
    const made = temporaryFolder({ 'x.yaml': '1' });
    remove = made.remove;
    const files: string[] = [];
    const told = inbox<string>();
    watch = watchFiles({
      paths: [made.folder],
      quietMs: 20,
      onChange: async changed => {
        files.push(...changed);
        told.put(changed);
      },
    });
    mkdirSync(path.join(made.folder, '__snapshots__'));
    writeFileSync(path.join(made.folder, '__snapshots__/x.snap.yaml'), '1');
    writeFileSync(path.join(made.folder, 'x.yaml'), '2');
    await told.wait(path.join(made.folder, 'x.yaml'));
    expect(new Set(files)).toEqual(new Set([path.join(made.folder, 'x.yaml')]));
  });
});

describe('watching suites', { timeout: 30_000 }, () => {
  it('runs all, then the affected ones, restarts changed processes, finds new suites, and waits for fixes of errors', async () => {
    const made = temporaryFolder({ 'a.webhook-test.yaml': '', 'a.yaml': '', 'src/handler.js': '', 'b/b.yaml': '' });
    const at = (name: string): string => path.join(made.folder, name);
    const suite = (name: string, inputs: readonly string[], sources: readonly string[] = []): WatchedSuite => ({
      file: at(name),
      inputs: [name, ...inputs].map(at),
      sources: sources.map(at),
    });
    let suites: readonly WatchedSuite[] | undefined = [suite('a.webhook-test.yaml', ['a.yaml'], ['src']), suite('b', [])];
    const ran = inbox<string>();
    const loaded = inbox<string>();
    const controller = new AbortController();
    const watched = watchSuites({
      roots: [made.folder],
      load: async () => {
        loaded.put(['loaded']);
        return suites;
      },
      run: async (wanted, restart, own) => {
        own.addEventListener('abort', () => undefined);
        const names = wanted.map(({ file }) => path.basename(file) + (restart.some(other => other.file === file) ? ' restarted' : ''));
        ran.put([names.join(', ')]);
      },
      signal: controller.signal,
      quietMs: 20,
    });
    await ran.wait('a.webhook-test.yaml, b');
    writeFileSync(at('b/b.yaml'), '1');
    await ran.wait('b');
    writeFileSync(at('src/handler.js'), '1');
    await ran.wait('a.webhook-test.yaml restarted');
    const fixed = suites;
    suites = undefined;
    await loaded.wait('loaded');
    writeFileSync(at('a.webhook-test.yaml'), 'x: [');
    await loaded.wait('loaded');
    suites = fixed;
    writeFileSync(at('a.webhook-test.yaml'), '');
    await ran.wait('a.webhook-test.yaml');
    suites = [...fixed, suite('c.webhook-test.yaml', [])];
    writeFileSync(at('c.webhook-test.yaml'), '');
    await ran.wait('c.webhook-test.yaml');
    // That of the watch itself.
    await expect.poll(() => getEventListeners(controller.signal, 'abort').length).toBe(1);
    controller.abort();
    await watched;
    made.remove();
  });
});

describe('a run of a watch', () => {
  it('has a signal of its own, of which the watch keeps nothing', async () => {
    const watching = new AbortController();
    for (let i = 0; i < 100; i += 1) await withOwnSignal(watching.signal, async own => own.addEventListener('abort', () => undefined));
    expect(getEventListeners(watching.signal, 'abort')).toHaveLength(0);
    const aborted = withOwnSignal(watching.signal, own => once(own, 'abort'));
    watching.abort('why');
    await aborted;
    expect(await withOwnSignal(watching.signal, async own => own.reason)).toBe('why');
  });
});
