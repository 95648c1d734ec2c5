import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { systemReason } from '../../../files/system-reason.js';
import { findSuites } from '../../../suites/find-suites.js';
import { readSuite } from '../../../suites/reading/suite-file.js';
import { printable } from '../../../writers/printable.js';
import { riskyParts } from '../../options/configuration.js';
import { readConfigurationFile } from '../../options/configuration-file.js';
import type { KnownFlags } from '../../options/known-flags.js';
import { type ConsentSubject, trust, withdrawTrust } from '../../options/trust/consent.js';
import { riskySuites } from '../../options/trust/found-suites.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import { sentenceOf } from '../../shell/print-error.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { readFoundInput } from '../../work/input/files.js';
import { withSuiteErrors } from '../../work/suites/suite-error.js';

export interface TrustCommand {
  /** Withdraw the consent. */
  readonly revoke: boolean;
  /** Returns the flags of all commands, which `webhook-cli.yaml` may set. */
  readonly listKnownFlags: () => Promise<KnownFlags>;
}

interface Trusted {
  readonly file: string;
  readonly subject: ConsentSubject;
  /** What needs consent, a line each. */
  readonly parts: readonly string[];
}

/** Records consent to the configuration file and the suites found here, or withdraws it, and prints what they may do. Throws CliError. */
export async function runTrust({ revoke, listKnownFlags }: TrustCommand, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, env } = surroundings;
  const found = [...(await findConfiguration(listKnownFlags, surroundings)), ...foundSuites(surroundings)];
  for (const { file, subject, parts } of found) {
    const outcome = revoke
      ? orFailed(() => withdrawTrust(subject, env))
        ? 'no longer trusted'
        : 'was not trusted'
      : recorded(subject, parts, env);
    stdout.write(
      `${printable(file)}: ${outcome}\n${parts.map(part => `  ${printable(part).trimEnd().replaceAll('\n', '\n    ')}\n`).join('')}`,
    );
  }
  if (found.length === 0) stdout.write('nothing found here needs trust\n');
  return exitCodes.allowed;
}

function recorded(subject: ConsentSubject, parts: readonly string[], env: Surroundings['env']): string {
  if (orFailed(() => trust(subject, env, parts))) return 'trusted';
  throw new CliError('usage', 'the user has no home folder, in which trust is recorded', {
    suggestions: ['set HOME or XDG_STATE_HOME', 'set WEBHOOK_CLI_TRUST=1 for the commands'],
  });
}

function orFailed<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new CliError('write-failed', `trust cannot be recorded: ${systemReason(error)}`, { cause: error });
  }
}

async function findConfiguration(listKnownFlags: TrustCommand['listKnownFlags'], surroundings: Surroundings): Promise<Trusted[]> {
  const file = await readConfigurationFile(surroundings, listKnownFlags);
  if (file === undefined) return [];
  const parts = riskyParts(file);
  return parts.length === 0 ? [] : [{ file: file.shown, subject: file.subject(), parts }];
}

/** A suite that cannot be read needs no trust. */
function foundSuites({ cwd, stderr }: Surroundings): Trusted[] {
  return findSuites('.', cwd).flatMap(source => {
    if (source.from === 'manifests') return [];
    try {
      const suite = withSuiteErrors(() => readSuite(readFoundInput(source.file, cwd), source));
      return riskySuites([suite], cwd, true).map(({ subject, parts }) => ({ file: path.normalize(source.file), subject, parts }));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      stderr.write(`${sentenceOf(error).replace(/^error/, 'warning')}\n`);
      return [];
    }
  });
}
