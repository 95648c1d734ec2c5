import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { OfTable } from '../../src/cli/options/option-flags.js';
import { type CommandClass, root } from './run-command.js';

/** A command and its flags. */
export type CommandWithFlags = CommandClass & {
  readonly flags?: Readonly<Record<string, OfTable & { readonly member: string }>>;
};

/** Returns all commands by their names, in order: `certs create`. */
export async function allCommands(): Promise<readonly (readonly [name: string, command: CommandWithFlags])[]> {
  const files = readdirSync(path.join(root, 'commands'), { recursive: true }).map(name => String(name).replaceAll('\\', '/'));
  const sources = files.filter(name => name.endsWith('.ts')).sort();
  return Promise.all(
    sources.map(async file => [file.replace(/\.ts$/, '').replace('/', ' '), (await import(`../../commands/${file}`)).default] as const),
  );
}
