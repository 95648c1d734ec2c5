import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeCertificate } from '../../support/certificate-maker.js';
import { type CommandClass, root, runCommand } from '../../support/run-command.js';
import type { Outcome, Reader } from './reader.js';

/** An authority with its key. */
export const authority = makeCertificate({ subject: 'a', isAuthority: true, notAfter: new Date('2099-01-01T00:00:00Z') });
export const pems = [authority.pem, authority.keyPem, `${authority.pem}${authority.keyPem}`].map(text => Buffer.from(text));

export const fixture = (file: string): Buffer => readFileSync(path.join(root, 'fixtures', file));

/** A command that reads the file `input`; `prepare` puts the input elsewhere, or other files beside it. */
export interface CommandReader {
  readonly name: string;
  readonly command: CommandClass;
  readonly argv: readonly string[];
  readonly sources: readonly string[];
  readonly samples?: readonly Buffer[];
  readonly prepare?: (input: Buffer, file: (name: string) => string) => void;
  readonly env?: Readonly<Record<string, string>>;
}

/** Returns the reader of a command. */
export function reader({ name, command, argv, sources, samples, prepare, env }: CommandReader): Reader {
  const read = async (input: Buffer, folder: string): Promise<Outcome> => {
    const file = (relative: string): string => {
      const absolute = path.join(folder, relative);
      mkdirSync(path.dirname(absolute), { recursive: true });
      return absolute;
    };
    writeFileSync(file('input'), input);
    prepare?.(input, file);
    // Servers end as soon as they can be interrupted.
    const onInterrupt = (cleanUp: () => Promise<void>) => {
      void cleanUp();
      return () => {};
    };
    return runCommand(command, argv, { cwd: folder, env: { HOME: folder, ...env }, stdin: input, onInterrupt });
  };
  return { name, sources, read, ...(samples === undefined ? {} : { samples }) };
}

/** Where paths of flags are read. */
export const inFiles = 'src/cli/work/input/files.ts';
export const reviewed = ['--demo', '-f', 'pod.yaml', '-o', 'name'];

/** Puts the input into a folder in place of the files of these names. */
export const as =
  (...names: string[]) =>
  (input: Buffer, file: (name: string) => string): void => {
    for (const name of names) {
      rmSync(file(name), { recursive: true, force: true });
      writeFileSync(file(name), input);
    }
  };
