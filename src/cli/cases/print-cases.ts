import path from 'node:path';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { givenMinor } from '../input/server-version.js';
import type { Surroundings } from '../surroundings.js';
import { type CaseCommand, runCases, runReviewCases } from './run-cases.js';

export interface CaseFlags {
  readonly case: string;
  readonly 'kubernetes-version'?: string | undefined;
}

/** Prints a line a recorded case. The exit code is 0 when every case got one, whatever the lines say. */
export async function printCases(command: CaseCommand, flags: CaseFlags, { cwd, stdout }: Surroundings): Promise<ExitCode> {
  await runCases(command, path.resolve(cwd, flags.case), { write: line => stdout.write(line), minor: givenMinor(flags) });
  return exitCodes.allowed;
}

/** The same for cases whose webhooks are really called. */
export async function printReviewCases(flags: CaseFlags, { cwd, stdout }: Surroundings): Promise<ExitCode> {
  await runReviewCases(path.resolve(cwd, flags.case), { write: line => stdout.write(line), minor: givenMinor(flags) });
  return exitCodes.allowed;
}
