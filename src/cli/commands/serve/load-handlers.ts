import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { CliError, type Location } from '../../../client/cli-error.js';
import { systemReason } from '../../../files/system-reason.js';
import { lazy } from '../../../kubernetes/memoize.js';
import type { WebhookServer } from '../../../webhook-server/api/types.js';
import type { Surroundings } from '../../shell/surroundings.js';

/** The default export of a module of handlers. */
export type RegisterHandlers = (server: WebhookServer) => void | Promise<void>;

/**
 * Loads a module of handlers; a new value of `update` reloads it. Throws CliError, with the position of an error in the module if Node
 * reports one.
 */
export async function loadHandlers(
  file: string,
  { cwd, importModule }: Pick<Surroundings, 'cwd' | 'importModule'>,
  update = 0,
): Promise<RegisterHandlers> {
  const absolute = path.resolve(cwd, file);
  checkReadable(absolute, file);
  registerModuleHooks();
  let module: unknown;
  try {
    module = await importModule(`${pathToFileURL(absolute).href}?webhook-cli-update=${update}`);
  } catch (error) {
    throw moduleError(error, file);
  }
  const register = defaultOf(module) ?? defaultOf(Object(module).default);
  if (register === undefined) {
    throw new CliError('invalid-configuration', 'invalid module of handlers: expected a default export that is a function', {
      location: { file },
      suggestions: ["write export default server => { server.register('/path', handler); }"],
    });
  }
  return server => register(server);
}

/** Registers the handlers. Throws CliError if the module's function throws. */
export async function registerHandlers(register: RegisterHandlers, server: WebhookServer, file: string): Promise<void> {
  try {
    await register(server);
  } catch (error) {
    throw moduleError(error, file);
  }
}

function isFunction(value: unknown): value is RegisterHandlers {
  return typeof value === 'function';
}

/** The default export; for CommonJS compiled from a module it is a member of the default import. */
function defaultOf(module: unknown): RegisterHandlers | undefined {
  const exported = typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined;
  return isFunction(exported) ? exported : undefined;
}

function checkReadable(absolute: string, file: string): void {
  try {
    if (statSync(absolute).isFile()) return;
  } catch (error) {
    throw new CliError('unreadable-file', systemReason(error), { location: { file }, cause: error });
  }
  throw new CliError('unreadable-file', 'is not a file', { location: { file } });
}

function moduleError(error: unknown, file: string): CliError {
  const message = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
  const name = error instanceof Error && error.name !== 'Error' ? `${error.name}: ` : '';
  const suggestions = message?.includes("Cannot find package 'webhook-cli'") === true ? ['npm install webhook-cli beside the module'] : [];
  return new CliError('invalid-configuration', `${name}${message}`, { location: placeOf(error) ?? { file }, suggestions, cause: error });
}

/** Returns the first position of the stack in a file of the user. */
function placeOf(error: unknown): Location | undefined {
  const lines = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  for (const line of lines) {
    const found = /(?:file:\/\/)?(\/[^\s()?]+\.[mc]?[jt]s)(?:\?[^:\s]*)?:(\d+)(?::(\d+))?/.exec(line);
    const [, file = '', lineNumber, column] = found ?? [];
    if (found === null || file.includes('/node_modules/')) continue;
    return { file: decodeURIComponent(file), line: Number(lineNumber), ...(column === undefined ? {} : { column: Number(column) }) };
  }
  return undefined;
}

/**
 * Enables importing TypeScript modules: types are stripped, not checked. Modules imported with the query `update` are reloaded together
 * with the local modules that they import. Repeated calls have no effect.
 */
const registerModuleHooks: () => void = lazy(() => {
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
