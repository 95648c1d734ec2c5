// Makes what `import ... from 'webhook-cli'` and `require('webhook-cli')` load: one CommonJS file, which test runners without modules can load as well,
// a module around it, so that both share one instance, and the types of both.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { leanUndici } from './lean-undici.js';

/** Writes dist/bundle/library.cjs, library.mjs and dist/types from the sources and their compiled types. Returns the files of libraries in it. */
export async function buildLibrary(root) {
  const folder = path.join(root, 'dist/bundle');
  const outfile = path.join(folder, 'library.cjs');
  const { metafile } = await build({
    entryPoints: [path.join(root, 'src/library/entry.ts')],
    absWorkingDir: root,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    // Names stay: errors are known by them.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    plugins: [placeOfModule, leanUndici],
  });
  const names = Object.keys(createRequire(outfile)(outfile)).sort();
  writeFileSync(
    path.join(folder, 'library.mjs'),
    `import library from './library.cjs';\nexport const { ${names.join(', ')} } = library;\n`,
  );
  writeTypes(root);
  return Object.keys(metafile.inputs);
}

/** The tables are beside the bundle, and libraries are in it. */
const placeOfModule = {
  name: 'place-of-module',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8')
        .replaceAll('createRequire(import.meta.url)', 'require')
        .replaceAll('import.meta.dirname', '__dirname');
      return { contents: text, loader: 'ts' };
    });
  },
};

/** Copies the types that the library's own need, for modules and again for CommonJS: TypeScript asks for both. */
function writeTypes(root) {
  const from = path.join(root, 'dist/src');
  const to = path.join(root, 'dist/types');
  rmSync(to, { recursive: true, force: true });
  const imported = /((?:from |import\()['"]\.{1,2}\/[^'"]+)\.js(['"])/g;
  const pending = ['library/entry'];
  for (const name of pending) {
    const text = readFileSync(path.join(from, `${name}.d.ts`), 'utf8');
    const file = path.join(to, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(`${file}.d.ts`, text);
    writeFileSync(`${file}.d.cts`, text.replaceAll(imported, '$1.cjs$2'));
    for (const [, specifier] of text.matchAll(imported)) {
      const other = path.posix.join(path.posix.dirname(name), specifier.replace(/^.*['"]/, ''));
      if (!pending.includes(other)) pending.push(other);
    }
  }
}
