// Makes what `import ... from 'webhook-cli'` and `require('webhook-cli')` load: a CommonJS file, which test runners without modules can load as well, that
// loads the parts of the bundle; a module around it, so that both share one instance; and the types of both.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { partNames } from './bundle.js';

/** Writes dist/bundle/library.cjs, library.mjs and dist/types from the bundle, whose hash and place of the library are given, and the compiled types. */
export function buildLibrary(root, { hash, library }) {
  const folder = path.join(root, 'dist/bundle');
  const file = path.join(folder, 'library.cjs');
  writeFileSync(file, loaderOf(hash, library));
  const names = Object.keys(createRequire(file)(file)).sort();
  writeFileSync(
    path.join(folder, 'library.mjs'),
    `import library from './library.cjs';\nexport const { ${names.join(', ')} } = library;\n`,
  );
  writeTypes(root);
}

/**
 * The parts are required by their names, as written, so that test runners load them as modules of their own, and bundlers find them. They ask for modules of
 * other parts as `PART:NUMBER`, as in bin/run.js.
 */
function loaderOf(hash, library) {
  return `'use strict';
const parts = {${partNames.map(name => `\n  ${name}: () => require('./${name}-${hash}.cjs'),`).join('')}
};
const loaded = {};
const part = name => {
  if (loaded[name] === undefined) {
    const made = { exports: {} };
    parts[name]()(made.exports, requireEither, made, __filename, __dirname);
    loaded[name] = made.exports;
  }
  return loaded[name];
};
const requireEither = Object.assign(id => {
  const other = /^(${partNames.join('|')}):(.*)$/.exec(id);
  return other === null ? require(id) : part(other[1]).load(other[2]);
}, require);
module.exports = requireEither('${library}');
`;
}

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
