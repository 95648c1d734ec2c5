// Builds the published program: four CommonJS files, which start several times faster than hundreds of modules.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { joinModules } from './joined-modules.js';
import { layoutOf, sourceFiles } from './layout.js';
import { lazyModules, wayTo } from './lazy-modules.js';
import { leanUndici } from './lean-undici.js';
import { leanValibot } from './lean-valibot.js';
import { tracedModules } from './traced-modules.js';

/** Each may load modules of the others. */
export const partNames = ['first', 'second', 'server', 'third'];

/**
 * Writes dist/bundle from the sources: the program in four parts, and a list that names them and holds the output of `--version` and `--help`.
 * The list is written last. Returns the bundled files, the hash in the names of the parts, and the place of the library as `PART:NUMBER`. Throws where a
 * source does not parse.
 */
export async function bundle(root) {
  const folder = path.join(root, 'dist/bundle');
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(root, 'src/kubernetes/tables'), path.join(folder, 'tables'), { recursive: true });
  const traced = await tracedModules(root, onePart);
  const layout = layoutOf(root, traced);
  const parts = await buildParts(root, layout, traced.always);
  const texts = Object.values(parts).map(({ text }) => text);
  const hash = createHash('sha256').update(texts.join('')).digest('hex').slice(0, 16);
  cpSync(path.join(root, 'src/local-apiserver/recorded/data'), path.join(folder, 'data'), { recursive: true });
  for (const [name, { text }] of Object.entries(parts)) replace(path.join(folder, `${name}-${hash}.cjs`), text);
  const version = versionOf(root);
  replace(path.join(folder, 'program.json'), JSON.stringify({ hash, version, start: helpOf([], root), help: helpAround(version, root) }));
  for (const name of readdirSync(folder)) {
    if (new RegExp(`^(?:${partNames.join('|')})-.*\\.cjs$`).test(name) && !name.includes(hash))
      rmSync(path.join(folder, name), { force: true });
  }
  const library = layout.get('src/library/entry.ts');
  return { inputs: Object.values(parts).flatMap(({ inputs }) => inputs), hash, library: `${library.part}:${library.number}` };
}

async function buildParts(root, layout, always) {
  const part = async (name, libraries, more = [], joined = undefined) =>
    bundled(root, name, [await lazyModules(root, name, layout, joined), loadEntry(libraries), ...more].join('\n'));
  const first = await part(
    'first',
    ['@oclif/core'],
    [await joinModules(root, always, 'first', layout), firstEntry(layout)],
    new Set(always),
  );
  const second = await part('second', []);
  const server = await part('server', []);
  const third = await part('third', [...first.libraries, ...second.libraries, ...server.libraries]);
  return { first, second, server, third };
}

/**
 * Returns the whole program as one part, with the files of its modules by number; it exports the list `made` of the modules that were
 * loaded.
 */
async function onePart(root) {
  const files = sourceFiles(root);
  const layout = new Map(files.map((file, number) => [file, { part: 'first', number }]));
  const entry = [firstEntry(layout), 'export { made };'].join('\n');
  const { text } = await bundled(root, 'only', [await lazyModules(root, 'first', layout), entry].join('\n'));
  return { text, files };
}

async function bundled(root, part, contents) {
  const libraries = new Set();
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root, loader: 'js', sourcefile: `${part}.js` },
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    // oclif compiles commands in TypeScript where it finds the compiler, which is not for users.
    external: ['first:*', 'second:*', 'server:*', 'third:*', 'typescript'],
    write: false,
    // ASCII only, so that the file is read as one-byte text.
    charset: 'ascii',
    // Names are kept: errors are recognized by them, bug reports need them, and the compiled code is smaller than with esbuild's keepNames.
    minifyWhitespace: true,
    minifySyntax: true,
    // The wrapper function that Node adds to CommonJS files, so that the loader does not have to copy the text. It is the value of the script, which
    // bin/run.js runs, and the export of the module, which the library requires.
    banner: { js: "(typeof module === 'object' ? module : {}).exports = (function (exports, require, module, __filename, __dirname) {" },
    footer: { js: '})' },
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    plugins: [
      leanCore(part),
      lazyCore,
      quietDebug,
      leanUndici,
      ...(part === 'third' || part === 'only' ? [leanValibot] : [elsewhere(libraries)]),
    ],
  });
  return { text: asciiOnly(outputFiles[0].text), inputs: Object.keys(metafile.inputs), libraries };
}

function versionOf(root) {
  const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return `${name}/${version}`;
}

/** The program's help without a terminal, split around `NAME/VERSION PLATFORM-ARCH node-VERSION`. */
function helpAround(version, root) {
  const parts = helpOf(['--help'], root).split(`${version} ${process.platform}-${process.arch} node-${process.version}`);
  if (parts.length !== 2) throw new Error('the help does not say which version it belongs to');
  return parts;
}

function helpOf(argv, root) {
  const env = { ...process.env, WEBHOOK_CLI_NO_BUNDLE: '1', OCLIF_COLUMNS: '80' };
  return execFileSync(process.execPath, [path.join(root, 'bin/run.js'), ...argv], { encoding: 'utf8', env });
}

/** esbuild escapes non-ASCII characters except in regular expressions, where the same escapes work. */
function asciiOnly(text) {
  return text.replace(/[^\x00-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The functions that the loader calls, and every command by its id. */
function firstEntry(layout) {
  const ours = file => wayTo(file, 'first', layout);
  const commands = [...layout.keys()].filter(file => file.startsWith('commands/'));
  return [
    `export const main = (...call) => ${ours('src/cli/main.ts')}.main(...call);`,
    `export const serveThread = (...call) => ${ours('src/cli/thread-jobs.ts')}.serveThread(...call);`,
    `export const processSurroundings = () => ${ours('src/cli/shell/process-surroundings.ts')}.processSurroundings();`,
    `export const commands = {${commands.map(file => `${JSON.stringify(commandId(file))}: async () => ${ours(file)},`).join('\n')}};`,
  ].join('\n');
}

function commandId(file) {
  return file.replace(/^commands\/|\.ts$/g, '').replaceAll('/', ':');
}

/** Gives other parts access to the modules of this part and to libraries, and the loader the list of the modules that were loaded. */
function loadEntry(libraries) {
  // esbuild finds them in another order each time: two builds of the same sources have the same bytes.
  const cases = [...new Set(libraries)].sort().map(library => `case '${library}': return require('${library}');`);
  return `export const load = id => { switch (id) {${cases.join('\n')} default: return $own(Number(id)); } };\nexport { made };`;
}

/** API calls need only oclif, and the libraries for patches and diffs; other libraries are in the third part. */
const elsewhere = libraries => ({
  name: 'elsewhere',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path: id, kind }) => {
      if (kind !== 'require-call' || isBuiltin(id) || /^(?:@oclif\/core|fast-json-patch|diff\/|(?:first|second|server|third):)/.test(id))
        return undefined;
      libraries.add(id);
      return { path: `third:${id}`, external: true };
    });
  },
});

/** oclif's main entry loads all of oclif; its subpath exports are enough, and all parts of the program share them. */
const leanCore = part => ({
  name: 'lean-core',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@oclif\/core$/ }, ({ importer }) => {
      if (importer.includes('node_modules')) return undefined;
      return part === 'first' || part === 'only' ? { path: 'core', namespace: 'lean-core' } : { path: 'first:@oclif/core', external: true };
    });
    // The only parts of its package.json that oclif reads.
    onLoad({ filter: /[\\/]@oclif[\\/]core[\\/]package\.json$/ }, ({ path: file }) => {
      const { name, version } = JSON.parse(readFileSync(file, 'utf8'));
      return { contents: JSON.stringify({ name, version }), loader: 'json' };
    });
    onLoad({ filter: /.*/, namespace: 'lean-core' }, () => ({
      contents: [
        'module.exports = {',
        "  get Args() { return require('@oclif/core/args'); },",
        "  get Command() { return require('@oclif/core/command').Command; },",
        "  get Config() { return require('@oclif/core/config').Config; },",
        "  get Flags() { return require('@oclif/core/flags'); },",
        "  get Help() { return require('@oclif/core/help').Help; },",
        '};',
      ].join('\n'),
      loader: 'js',
      resolveDir: path.dirname(createRequire(import.meta.url).resolve('@oclif/core/package.json')),
    }));
  },
});

/** oclif's modules import each other eagerly, so that each of them loads all of oclif: here these imports are lazy. */
const lazyCore = {
  name: 'lazy-core',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8');
      const loaded = [...text.matchAll(/^(?:const|var) (\w+) = ((?:__import\w+\()?require\("[^"]+"\)\)?);$/gm)];
      const contents = loaded.reduce(
        (rest, [line, name, loading]) => rest.replace(line, '').replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `(${loading})`),
        text,
      );
      return { contents, loader: 'js' };
    });
  },
};

/** Setting up oclif's debug output (DEBUG=*) takes as long as a whole command. */
const quietDebug = {
  name: 'quiet-debug',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^debug$/ }, () => ({ path: 'debug', namespace: 'quiet-debug' }));
    onLoad({ filter: /.*/, namespace: 'quiet-debug' }, () => ({
      contents: 'module.exports = () => Object.assign(() => {}, { enabled: false, extend: module.exports });',
      loader: 'js',
    }));
  },
};

function replace(file, text) {
  const part = `${file}.${process.pid}`;
  writeFileSync(part, text);
  renameSync(part, file);
}
