// Makes the published program: one CommonJS file, which V8 starts several times as fast as hundreds of modules.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';

/**
 * Writes dist/bundle from the sources: the program, and a list that names it and holds what `--version` and `--help` answer. The
 * list is written last. Throws where a source does not parse.
 */
export async function bundle(root) {
  const folder = path.join(root, 'dist/bundle');
  mkdirSync(folder, { recursive: true });
  const { text, licences } = await bundled(root, entry(root));
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const program = `program-${hash}.cjs`;
  writeTables(path.join(root, 'src/kubernetes/tables'), path.join(folder, 'tables'));
  replace(path.join(folder, 'LICENSES.txt'), licences);
  replace(path.join(folder, program), text);
  const version = versionOf(root);
  replace(path.join(folder, 'program.json'), JSON.stringify({ program, hash, version, help: helpAround(version, root) }));
  for (const name of readdirSync(folder)) {
    if (/\.cjs$/.test(name) && !name.includes(hash)) rmSync(path.join(folder, name), { force: true });
  }
}

async function bundled(root, contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts', sourcefile: 'bundle-entry.ts' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    write: false,
    // ASCII only, so that the file is read as one-byte text. Classes keep their names, by which errors are known.
    charset: 'ascii',
    minify: true,
    keepNames: true,
    legalComments: 'external',
    logLevel: 'warning',
    outfile: path.join(root, 'dist/bundle/program.cjs'),
    plugins: [ownFiles(root), leanCore, lazyCore, quietDebug],
  });
  const [written, licences] = ['.cjs', '.LEGAL.txt'].map(ending => outputFiles.find(file => file.path.endsWith(ending))?.text ?? '');
  return { text: asciiOnly(written), licences };
}

function versionOf(root) {
  const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return `${name}/${version}`;
}

/** What the compiled program prints where no terminal has a width, as the parts around `NAME/VERSION PLATFORM-ARCH node-VERSION`. */
function helpAround(version, root) {
  const env = { ...process.env, WEBHOOK_CLI_NO_BUNDLE: '1', OCLIF_COLUMNS: '80' };
  const help = execFileSync(process.execPath, [path.join(root, 'bin/run.js'), '--help'], { encoding: 'utf8', env });
  const parts = help.split(`${version} ${process.platform}-${process.arch} node-${process.version}`);
  if (parts.length !== 2) throw new Error('the help does not say which version it belongs to');
  return parts;
}

/** esbuild escapes what is beyond ASCII but in regular expressions, where the same escapes hold. */
function asciiOnly(text) {
  return text.replace(/[^\x00-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What the loader calls, and every command by its id. */
function entry(root) {
  const files = readdirSync(path.join(root, 'commands'), { recursive: true }).filter(name => name.endsWith('.ts'));
  const commands = files.sort().map(name => {
    const inPosix = name.replaceAll('\\', '/');
    return `${JSON.stringify(inPosix.replace(/\.ts$/, '').replaceAll('/', ':'))}: () => import('./commands/${inPosix}'),`;
  });
  return [
    "export { main } from './src/cli/main.ts';",
    "export { processSurroundings } from './src/cli/process-surroundings.ts';",
    `export const commands = {${commands.join('\n')}};`,
  ].join('\n');
}

/** Our sources read tables and a CommonJS library through createRequire: the tables stay files beside the program, the library goes into it. */
function ownFiles(root) {
  return {
    name: 'own-files',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /\/tables\/[^/]+\.json$/ }, ({ path: file }) => ({ path: file, external: true }));
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path: file }) => {
        if (!file.startsWith(path.join(root, 'src'))) return undefined;
        const text = readFileSync(file, 'utf8');
        if (!text.includes('import.meta.url')) return undefined;
        const contents = text.replaceAll('createRequire(import.meta.url)(', 'require(');
        if (contents.includes('import.meta.url')) throw new Error(`${file}: import.meta.url has no meaning in the bundle`);
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** The tables as the program reads them: rows of the types stay text inside the JSON, so that only those a call touches are taken apart. */
function writeTables(from, to) {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const table = JSON.parse(readFileSync(path.join(from, name), 'utf8'));
    const packed = name.startsWith('types-')
      ? { ...table, types: Object.fromEntries(Object.entries(table.types).map(([type, row]) => [type, JSON.stringify(row)])) }
      : table;
    replace(path.join(to, name), JSON.stringify(packed));
  }
}

/** oclif's entry loads all of oclif; its published parts are enough. */
const leanCore = {
  name: 'lean-core',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@oclif\/core$/ }, ({ importer }) =>
      importer.includes('node_modules') ? undefined : { path: 'core', namespace: 'lean-core' },
    );
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
};

/** oclif's modules load each other when they are loaded, and any of them all of oclif: here each loads another when it needs it. */
const lazyCore = {
  name: 'lazy-core',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8');
      const loaded = [...text.matchAll(/^const (\w+) = ((?:__import\w+\()?require\("[^"]+"\)\)?);$/gm)];
      const contents = loaded.reduce(
        (rest, [line, name, loading]) => rest.replace(line, '').replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `(${loading})`),
        text,
      );
      return { contents, loader: 'js' };
    });
  },
};

/** What oclif tells its own developers with DEBUG=* takes as long to set up as a whole command. */
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
