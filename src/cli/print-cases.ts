import path from 'node:path';
import { type CaseCommand, runCases, runReviewCases } from '../conformance/run-cases.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import type { Surroundings } from './surroundings.js';

/** Prints a line a recorded case. The exit code is 0 when every case got one, whatever the lines say. */
export async function printCases(command: CaseCommand, file: string, { cwd, stdout }: Surroundings): Promise<ExitCode> {
  await runCases(command, path.resolve(cwd, file), line => stdout.write(line));
  return exitCodes.allowed;
}

/** The same for cases whose webhooks are really called. */
export async function printReviewCases(file: string, { cwd, stdout }: Surroundings): Promise<ExitCode> {
  await runReviewCases(path.resolve(cwd, file), line => stdout.write(line));
  return exitCodes.allowed;
}
