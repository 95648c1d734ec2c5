import { existsSync, readFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import path from 'node:path';
import { lazy } from '../../kubernetes/memoize.js';

/**
 * Enables importing TypeScript modules: types are stripped, not checked. Modules imported with the query `update` are reloaded together
 * with the local modules that they import. Repeated calls have no effect.
 */
export const registerModuleHooks: () => void = lazy(() => {
  const source = `data:text/javascript,${encodeURIComponent(hooks)}`;
  register(source, { data: { stripperSource: readFileSync(stripperFile(), 'utf8') } });
});

/** A single executable has the library besides its own files. */
function stripperFile(): string {
  const beside = path.join(import.meta.dirname, 'wasm-typescript.cjs');
  return existsSync(beside) ? beside : createRequire(path.join(import.meta.dirname, 'here.js')).resolve('@swc/wasm-typescript');
}

/** Runs in Node's hooks thread, in which this program is not loaded. */
const hooks = String.raw`
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const query = 'webhook-cli-update';
const types = {};
export function initialize({ stripperSource }) { types.source = stripperSource; }

function loadedStripper() {
  const module = { exports: {} };
  new Function('module', 'require', types.source)(module, process.getBuiltinModule);
  return module.exports;
}

function updateOf(url) {
  const at = url === undefined ? -1 : url.indexOf('?' + query + '=');
  return at < 0 ? '' : url.slice(at);
}

const own = url => url.startsWith('file:') && !url.includes('/node_modules/');

export async function resolve(specifier, context, next) {
  const update = updateOf(context.parentURL);
  const found = await next(specifier, context).catch(error => {
    const other = specifier.replace(/\.([mc]?)js$/, '.$1ts');
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || other === specifier || !/\.[mc]?ts(\?|$)/.test(context.parentURL ?? '')) throw error;
    return next(other, context);
  });
  return update !== '' && own(found.url) && !found.url.includes('?') ? { ...found, url: found.url + update } : found;
}

export async function load(url, context, next) {
  const file = url.replace(/\?.*$/, '');
  if (!own(file) || !/\.[mc]?ts$/.test(file)) return next(url, context);
  types.stripper ??= loadedStripper();
  const path = fileURLToPath(file);
  let code;
  try {
    ({ code } = types.stripper.transformSync(await readFile(path, 'utf8'), { mode: 'strip-only', filename: path, module: true }));
  } catch (error) {
    throw syntaxError(error, path);
  }
  return { format: file.endsWith('.cts') ? 'commonjs' : 'module', source: code, shortCircuit: true };
}

function syntaxError(error, path) {
  if (error === null || typeof error !== 'object' || error.startLine === undefined) return error instanceof Error ? error : new SyntaxError(String(error?.message ?? error));
  const made = new SyntaxError(error.message + '\n' + (error.snippet ?? ''));
  made.stack = path + ':' + error.startLine + ':' + (error.startColumn + 1) + '\nSyntaxError: ' + error.message;
  return made;
}
`;
