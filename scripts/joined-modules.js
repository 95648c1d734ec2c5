// Joins modules of ours that are always loaded together into one scope: calls between them need no import, and V8 reads less code.
import path from 'node:path';
import { build } from 'esbuild';
import { askedExport, isForeign, readExports, sourceOf, withOwnWays } from './lazy-modules.js';

/**
 * Resolves with code that defines `$joined`: functions that add a module's exports to an object, by the module's number. It runs the modules of these files, in the order
 * of their imports; other modules are loaded on first use, as by lazy modules. Throws where an import or export has no form here.
 */
export async function joinModules(root, files, part, layout) {
  const exported = await Promise.all(files.map(file => readExports(root, file)));
  const entry = [
    ...files.map((file, i) => `import * as module${i} from './${file}';`),
    'export const $joined = {',
    ...files.map((file, i) => `${layout.get(file).number}: exports => {${exported[i].map(one => added(one, `module${i}`)).join(' ')}},`),
    '};',
  ];
  const { outputFiles } = await build({
    stdin: { contents: entry.join('\n'), resolveDir: root, loader: 'ts', sourcefile: common },
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    write: false,
    logLevel: 'warning',
    plugins: [besides(root, new Set(files))],
  });
  return `const $joined = (() => {\n${bodyOf(outputFiles[0].text, part, layout)}\nreturn $joined;\n})();`;
}

/** As in lazy modules, an export of another module is loaded when it is used. */
function added({ name, value }, module) {
  const exported = `${module}.${name}`;
  return isForeign(value) ? askedExport(name, exported) : `exports.${name} = ${exported};`;
}

/** The module of all that are joined, in the root. */
const common = 'joined.ts';

/** Leaves out other modules, and those that are loaded on demand: esbuild would give them a form of its own. */
const besides = (root, files) => ({
  name: 'besides',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ path: imported, kind, resolveDir }) => {
      const file = path.relative(root, path.resolve(resolveDir, imported)).replaceAll('\\', '/').replace(/\.js$/, '.ts');
      const isJoined = files.has(file) && kind === 'import-statement';
      return isJoined ? { path: path.join(root, file), sideEffects: true } : { path: `./${file.replace(/\.ts$/, '.js')}`, external: true };
    });
    onResolve({ filter: /^[^./]/ }, ({ path: id }) => ({ path: id, external: true }));
    onLoad({ filter: /\.ts$/ }, ({ path: file }) => ({ contents: sourceOf(root, path.relative(root, file)), loader: 'ts' }));
  },
});

/** The code of the modules without that of their common module, whose only export is `$joined`. */
function bodyOf(text, part, layout) {
  const [, code] = text.split('module.exports = __toCommonJS(joined_exports);\n');
  if (code === undefined) throw new Error('esbuild puts exports elsewhere');
  return withOwnWays(code.split('\n// Annotate the CommonJS export names', 1)[0], common, part, layout);
}
