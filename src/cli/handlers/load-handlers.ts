import { statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { CliError, type Location } from '../../client/cli-error.js';
import type { WebhookServer } from '../../webhook-server/api/types.js';
import type { Surroundings } from '../surroundings.js';
import { systemReason } from '../system-reason.js';
import { registerModuleHooks } from './module-hooks.js';

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
