// Bundles the pages for browsers from pages/.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { baseMinor } from './minors.js';

/** Oldest versions of the browsers that the pages support. */
const target = ['chrome120', 'firefox121', 'safari17'];

/** Options of all bundles. ASCII only, so that the encoding of a file that contains them does not matter. */
const browser = {
  bundle: true,
  minify: true,
  charset: 'ascii',
  platform: 'browser',
  target,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
};

/** Writes the script of the reports, and the style sheet and the script of the trace page to a folder, as single files that a page can contain. Returns the bundled files. */
export async function buildPageParts(root, folder) {
  mkdirSync(folder, { recursive: true });
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      trace: path.join(root, 'pages/trace/main.ts'),
      'trace-style': path.join(root, 'pages/trace/trace.css'),
      report: path.join(root, 'pages/report/main.ts'),
    },
    outdir: folder,
    ...browser,
    format: 'iife',
    write: false,
  });
  for (const { path: file, text } of outputFiles) {
    // Neither may end the element that contains it.
    const safe = text.trim().replaceAll('</script', '<\\/script').replaceAll('</style', '<\\/style').replaceAll('<!--', '<\\!--');
    writeFileSync(path.join(folder, path.basename(file).replace('trace-style', 'trace')), safe);
  }
  return Object.keys(metafile.inputs);
}

/**
 * Writes the playground to a folder that any web server can serve: a page, its script, the engine and its data. Returns the bundled files.
 */
export async function buildPlayground(root, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, 'data'), { recursive: true });
  const at = name => path.join(root, 'pages/playground', name);
  const entryPoints = { playground: at('main.ts'), style: at('playground.css') };
  const page = await build({ ...browser, absWorkingDir: root, outdir: folder, entryPoints, format: 'iife' });
  const engine = await buildEngine(root, folder, { engine: at('worker.ts') });
  for (const name of ['index.html', 'icon.svg']) writeFileSync(path.join(folder, name), readFileSync(at(name)));
  for (const [name, files] of Object.entries(dataOf(root))) writeFileSync(path.join(folder, 'data', `${name}.json`), JSON.stringify(files));
  return [...Object.keys(page.metafile.inputs), ...engine];
}

/** Bundles modules of the engine for browsers, with the parts of Node that `pages/playground/platform` has. Returns the bundled files. */
export async function buildEngine(root, folder, entryPoints) {
  const platform = path.join(root, 'pages/playground/platform');
  const { metafile } = await build({
    ...browser,
    absWorkingDir: root,
    outdir: folder,
    entryPoints,
    // Names stay: errors are known by them.
    minifyIdentifiers: false,
    minify: false,
    minifySyntax: true,
    minifyWhitespace: true,
    format: 'esm',
    splitting: true,
    inject: [path.join(platform, 'globals.ts')],
    define: { 'import.meta.dirname': '"/engine"', global: 'globalThis' },
    plugins: [browserModules(platform)],
  });
  return Object.keys(metafile.inputs);
}

/** Modules of Node that have a file of their own; all others are in one. */
const ownModules = ['fs', 'path', 'crypto'];

/** Gives the engine what it imports of Node: the boundary to Node is an argument of the build. */
const browserModules = platform => ({
  name: 'browser-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path: id }) => {
      const name = id.slice('node:'.length);
      return { path: path.join(platform, ownModules.includes(name) ? `node-${name}.ts` : 'node-others.ts') };
    });
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8')
        .replaceAll('createRequire(import.meta.url)', 'require')
        .replace(/^import \{ createRequire \} from 'node:module';$/m, '');
      return { contents: text, loader: 'ts' };
    });
  },
});

/**
 * The files that the engine reads, by version: those of the default one are complete, the others contain differences. With the default one come the resources of all
 * minors, by which rules of webhooks are judged, and their gates: a minor that has no longer a gate keeps its feature.
 */
function dataOf(root) {
  const tables = 'src/kubernetes/tables';
  const roles = 'src/local-apiserver/recorded/data';
  const minors = readdirSync(path.join(root, tables));
  return Object.fromEntries(
    minors.map(minor => {
      const names = readdirSync(path.join(root, tables, minor), { recursive: true })
        .map(name => name.replaceAll('\\', '/'))
        .filter(name => /\.\w+$/.test(name))
        .map(name => [`tables/${minor}/${name}`, `${tables}/${minor}/${name}`]);
      if (minor === baseMinor()) {
        const shared = minors.flatMap(each => [`${each}/resources.json`, `${each}/gates.json`]);
        names.push(...shared.map(name => [`tables/${name}`, `${tables}/${name}`]));
      }
      const below = minor === baseMinor() ? '' : `${minor}/`;
      const files = [...names, [`data/${below}bootstrap.jsonl`, `${roles}/${below}bootstrap.jsonl`]];
      return [minor, Object.fromEntries(files.map(([name, file]) => [name, readFileSync(path.join(root, file), 'latin1')]))];
    }),
  );
}
