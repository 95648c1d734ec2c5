import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import type { OptionKind } from '../../../client/options/option.js';
import { flagName, optionMemberOf, textOfValue } from '../../../client/options/option-names.js';
import { stateOptions } from '../../../client/options/state-options.js';
import { webhookOptions } from '../../../client/options/webhook-options.js';
import { ensureFolder } from '../../../files/ensure-folder.js';
import { writeWhole } from '../../../files/replace-file.js';
import { systemReason } from '../../../files/system-reason.js';
import type { Bypass } from '../../../fuzz/bypass/search.js';
import type { FuzzFinding } from '../../../fuzz/run/finding-log.js';
import { hasCase, suiteOf } from '../../../fuzz/suite-of.js';
import { setOwnMember } from '../../../go/own-members.js';
import type { SuiteProcess } from '../../../suites/suite.js';
import type { Surroundings } from '../../shell/surroundings.js';
import type { FuzzFlags } from './fuzz-options.js';

interface WrittenFindings {
  readonly findings: readonly FuzzFinding[];
  readonly bypasses: readonly Bypass[];
  readonly flags: FuzzFlags;
  readonly given: ReadonlySet<string>;
  readonly process: SuiteProcess | undefined;
}

/** Writes a suite of the findings to a folder. Throws CliError when that fails. */
export async function writeFindings(
  folder: string,
  { findings, bypasses, flags, given, process }: WrittenFindings,
  { cwd, stderr }: Pick<Surroundings, 'cwd' | 'stderr'>,
): Promise<void> {
  const shown = findings.filter(hasCase);
  const others = findings.filter(finding => !hasCase(finding));
  for (const { check } of others) stderr.write(`note: no case of a suite can show a finding of ${check}\n`);
  const count = shown.length + bypasses.length;
  if (count === 0) return;
  const target = path.resolve(cwd, folder);
  try {
    await ensureFolder(target);
    for (const { name, text } of suiteOf({ findings: shown, bypasses }, settingsOf({ flags, given, process }, { cwd, target })))
      await writeWhole(path.join(target, name), text);
  } catch (error) {
    throw new CliError('write-failed', `cannot write to ${JSON.stringify(folder)}: ${systemReason(error)}`, { cause: error });
  }
  stderr.write(`wrote ${count === 1 ? '1 case' : `${count} cases`} to ${path.join(folder, 'fuzz.webhook-test.yaml')}\n`);
}

/** Fields of the suite that describe webhooks and cluster as the flags did; paths are relative to the suite. */
function settingsOf(
  { flags, given, process }: Omit<WrittenFindings, 'findings' | 'bypasses'>,
  { cwd, target }: { readonly cwd: string; readonly target: string },
): Record<string, unknown> {
  const values = new Map<string, unknown>(Object.entries(flags));
  const settings: Record<string, unknown> = {};
  for (const [name, option] of Object.entries({ ...stateOptions, ...webhookOptions })) {
    const member = optionMemberOf(name, option);
    const value = values.get(member);
    if (value === undefined || (!given.has(member) && !reached.has(name))) continue;
    const relative = (text: string): string => path.relative(target, path.resolve(cwd, text));
    const isPath = 'isPath' in option && option.isPath;
    const written = (one: unknown): unknown => (isPath ? relative(String(one)) : plainOf(one, option));
    setOwnMember(settings, flagName(name), Array.isArray(value) ? value.map(written) : written(value));
  }
  if (process !== undefined) settings['exec'] = { ...pick(process), cwd: path.relative(target, path.resolve(cwd, process.cwd)) };
  return settings;
}

function pick({ command, env }: SuiteProcess): object {
  return { command, ...(Object.keys(env).length === 0 ? {} : { env }) };
}

/** Returns a value as a suite has it. */
function plainOf(value: unknown, option: OptionKind): unknown {
  return typeof value === 'object' || 'unit' in option ? textOfValue(value, option) : value;
}

/** Set by `--exec` where the flags do not say it. */
const reached = new Set(['url', 'service']);
