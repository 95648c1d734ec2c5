import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'vitest/config';
import { buildPageParts, buildPlayground } from '../../scripts/pages.js';

const root = path.resolve(import.meta.dirname, '../..');
const cache = path.join(root, 'dist/tests');

/** Folders of the program's modules, and of the data beside them. */
const sources = ['src', 'commands'];
const data = ['src/kubernetes/tables', 'src/local-apiserver/recorded/data'];

/**
 * Lets Node load the modules of the program, which are compiled once for all test files and runs: Vite's own module loader takes a third of
 * the time of a whole run. Not while watching, which follows changes.
 */
export function compiledModules(): Plugin {
  let folder: string | undefined;
  return {
    name: 'compiled-modules',
    enforce: 'pre',
    async configureVitest({ vitest }) {
      if (!vitest.config.watch) folder = await compiled();
    },
    async resolveId(source, importer, options) {
      if (folder === undefined) return undefined;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      const file = found === null ? '' : path.relative(root, found.id);
      return sources.some(name => file.startsWith(`${name}${path.sep}`)) && file.endsWith('.ts')
        ? // As Vite writes paths, also on Windows.
          path.join(folder, file.replace(/\.ts$/, '.js')).replaceAll(path.sep, '/')
        : found;
    },
  };
}

/** Compiles the program, unless that is done, and returns the folder of its modules. */
async function compiled(): Promise<string> {
  const files = sources.flatMap(folder =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map(name => path.join(folder, name))
      .filter(name => name.endsWith('.ts')),
  );
  const folder = path.join(cache, hashOf([...files, ...pageFiles()]));
  if (existsSync(folder)) {
    // In use.
    utimesSync(folder, new Date(), new Date());
    return folder;
  }
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(path.join(cache, 'new-'));
  await build({
    entryPoints: files.map(file => path.join(root, file)),
    outdir: unfinished,
    outbase: root,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    logLevel: 'error',
  });
  const pages = path.join(unfinished, 'src/pages/page-files');
  await buildPageParts(root, pages);
  await buildPlayground(root, path.join(pages, 'playground'));
  for (const name of data) symlinkSync(path.join(root, name), path.join(unfinished, name), 'junction');
  for (const old of readdirSync(cache)) {
    if (old !== path.basename(unfinished) && isOutdated(path.join(cache, old)))
      rmSync(path.join(cache, old), { recursive: true, force: true });
  }
  // Another run may have finished first.
  if (existsSync(folder)) rmSync(unfinished, { recursive: true, force: true });
  else renameSync(unfinished, folder);
  return folder;
}

/** Sources of the pages for browsers. */
function pageFiles(): string[] {
  const names = readdirSync(path.join(root, 'pages'), { recursive: true, encoding: 'utf8' });
  return names.filter(name => /\.(?:ts|css)$/.test(name)).map(name => path.join('pages', name));
}

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256').update(`${process.version}\n`);
  for (const file of files) {
    const { size, mtimeMs } = statSync(path.join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** No run takes that long. */
const longestRunMs = 3_600_000;

function isOutdated(folder: string): boolean {
  return Date.now() - statSync(folder).mtimeMs > longestRunMs;
}
