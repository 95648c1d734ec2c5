import { realpathSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { inputPathIn } from '../../../client/manifests/input-path.js';
import type { Option } from '../../../client/options/option.js';
import { writtenOptionValue } from '../../../client/options/option-names.js';
import { suiteOptions } from '../../../suites/reading/suite-fields.js';
import type { Suite } from '../../../suites/suite.js';
import { oneLine } from '../../../writers/printable.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { askForTrust, changedParts } from './ask-for-trust.js';
import { type ConsentSubject, isTrusted, trustsAll } from './consent.js';
import { contentsInRepository } from './found-file.js';
import { areLocal, isFree } from './is-free.js';

/** Parts of a suite that need consent, as a subject, and for messages: `exec: go run .`. */
export interface RiskySuite {
  readonly suite: Suite;
  readonly subject: ConsentSubject;
  readonly parts: readonly string[];
}

/**
 * Returns the suites that run a program, call addresses of other machines, read a cluster or send credentials. Their other parts, such as cases and expectations, may
 * change without a new consent.
 */
export function riskySuites(suites: readonly Suite[], cwd: string, callsRemote: boolean): RiskySuite[] {
  return suites.flatMap(suite => {
    const flags = [suite.webhook, ...suite.cases.map(one => one.options)];
    const remote = callsRemote || flags.some(hasRemoteAddress);
    const own = suite.process === undefined ? [] : [`exec: ${commandText(suite.process.command)}`];
    const parts = [...new Set([...own, ...flags.flatMap(one => riskyFlags(one, remote))])];
    if (parts.length === 0) return [];
    // Paths are relative to the working directory, which may be another one next time.
    const file = realpathSync(path.resolve(cwd, suite.file));
    const folder = path.relative(path.dirname(file), realpathSync(cwd));
    const started = suite.process === undefined ? [] : [suite.process.env, path.join(folder, suite.process.cwd)];
    const named = flags
      .flatMap(one => textsOf('kubeconfig' in one ? one.kubeconfig : undefined))
      .flatMap(one => contentsInRepository(path.resolve(cwd, suite.file), path.resolve(cwd, one)));
    const contents = [...flags.flatMap(one => riskyFlags(one, true, folder)), JSON.stringify([suite.process?.command, started]), ...named];
    return [{ suite, parts, subject: { file, contents: [...new Set(contents)] } }];
  });
}

/** Returns the suites that need consent, and have none. */
export function untrustedSuites(suites: readonly Suite[], { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>, options: object): RiskySuite[] {
  if (trustsAll(env)) return [];
  return riskySuites(suites, cwd, hasRemoteAddress(options)).filter(({ subject }) => !isTrusted(subject, env));
}

/** Asks at a terminal for the consent to suites that the user did not name. Throws CliError if one has none. */
export async function refuseUntrustedSuites(
  suites: readonly Suite[],
  surroundings: Pick<Surroundings, 'cwd' | 'env' | 'stderr' | 'stdin'>,
  options: object,
): Promise<void> {
  const untrusted: RiskySuite[] = [];
  for (const risky of untrustedSuites(suites, surroundings, options))
    if (!(await askForTrust({ ...risky, file: risky.suite.file }, surroundings))) untrusted.push(risky);
  refuseSuites(untrusted, surroundings.env);
}

/** Throws CliError for suites without a consent. */
export function refuseSuites([first, ...others]: readonly RiskySuite[], env: Surroundings['env']): void {
  if (first === undefined) return;
  const more = others.length === 0 ? '' : `, and ${others.length} more ${others.length === 1 ? 'suite needs' : 'suites need'} consent`;
  const changed = changedParts({ ...first, file: first.suite.file }, env);
  const why = changed === undefined ? `is not trusted: ${first.parts[0] ?? ''}` : `changed since it was trusted: ${changed.join(', ')}`;
  throw new CliError('usage', `the suite was found, not named, and ${oneLine(why)}${more}`, {
    location: { file: first.suite.file },
    suggestions: [`name ${first.suite.file} on the command line`, 'run "webhook-cli trust" after reading it'],
  });
}

function commandText(command: string | readonly string[]): string {
  return typeof command === 'string' ? command : command.join(' ');
}

function hasRemoteAddress(options: object): boolean {
  return Object.entries(options).some(([member, value]) => {
    const option = suiteOptions.get(member)?.option;
    return option?.risk === 'address' && !areLocal(option, textsOf(value));
  });
}

function riskyFlags(options: object, remote: boolean, folder = ''): string[] {
  return Object.entries(options).flatMap(([member, value]) => {
    const { name, option } = suiteOptions.get(member) ?? { name: member, option: undefined };
    const values = textsOf(value);
    if (option !== undefined && isHarmless(option, values, remote)) return [];
    const placed =
      option !== undefined && option.shape !== 'switch' && option.isPath ? values.map(one => inputPathIn(folder, one)) : values;
    return [`${name}: ${placed.join(', ')}`];
  });
}

/** What says who is believed, weakens a check or is sent along needs consent only where calls can leave this machine. */
function isHarmless(option: Option, values: readonly string[], remote: boolean): boolean {
  const { risk } = option;
  if (risk === 'address') return areLocal(option, values);
  return isFree(option, values) || (!remote && (risk === 'certificates' || risk === 'connection'));
}

function textsOf(value: unknown): string[] {
  return value === undefined ? [] : [value].flat().map(writtenOptionValue);
}
