import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/run-command.js';

/** Names that programs in JavaScript import from compiled modules: the compiler does not check them. */
const imports = ['bench', 'scripts', 'bin'].flatMap(folder =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => /\.[cm]?js$/.test(file))
    .flatMap(file => importsOf(path.posix.join(folder, file.replaceAll(path.sep, '/')))),
);

interface CompiledImport {
  readonly file: string;
  readonly source: string;
  readonly name: string;
}

function importsOf(file: string): CompiledImport[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const statements = text.matchAll(/\{([^{}]*)\}\s*(?:from|= await import\()\s*'(?:\.\.\/)+dist\/(src\/[^']+)\.js'/g);
  return [...statements].flatMap(([, names = '', module = '']) =>
    names.split(',').flatMap(text => {
      const [name = ''] = text.trim().split(/[:\s]/);
      return name === '' ? [] : [{ file, source: `${module}.ts`, name }];
    }),
  );
}

function exports(source: string, name: string): boolean {
  if (!existsSync(path.join(root, source))) return false;
  const text = readFileSync(path.join(root, source), 'utf8');
  return new RegExp(`export (?:async )?(?:function\\*?|const|class) ${name}\\b|export \\{[^}]*\\b${name}\\b`).test(text);
}

it('programs in JavaScript import only what the modules of src export', () => {
  expect(imports.length).toBeGreaterThan(20);
  expect(imports.filter(({ source, name }) => !exports(source, name))).toEqual([]);
});
