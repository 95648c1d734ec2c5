import { CliError } from '../../../client/cli-error.js';
import type { ValueMap } from '../../../go/value.js';
import { memoize } from '../../../kubernetes/memoize.js';
import { kindOf } from '../../../kubernetes/storage.js';
import { conversionJson, conversionText, conversionYaml } from '../../../reports/conversion-report.js';
import type { ConversionRun } from '../../../suites/conversions/conversion-run.js';
import { printable } from '../../../writers/printable.js';
import type { ConvertFlags } from '../../options/convert-flags.js';
import { type ExitCode, exitCodeOfFailure, exitCodes, gravestExitCode } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { terminalPalette } from '../../shell/terminal-palette.js';
import { readDefinitionsInto } from '../../work/cluster/with-definitions.js';
import {
  checkOtherWebhook,
  type OtherWebhookFlags,
  openConversionWebhook,
  withTimeout,
} from '../../work/conversions/conversion-webhook.js';
import { convertManifests } from '../../work/conversions/convert-manifests.js';
import { acceptDefinition } from '../../work/conversions/definitions.js';
import { rememberDefinitions } from '../../work/input/definition-places.js';
import { readManifestFiles } from '../../work/input/read-manifests.js';
import { readState } from '../../work/input/state.js';
import { connectionNotes } from '../../work/webhooks/cluster-webhooks.js';
import { openTransport } from '../../work/webhooks/connection.js';

/** Converts the objects of the manifests as the API server does when it reads them in another version, and prints the results. */
export async function runConvert(flags: ConvertFlags, surroundings: Surroundings): Promise<ExitCode> {
  checkFlags(flags);
  const { manifests, warnings } = await readManifestFiles(
    { flag: '-f', paths: flags.filename ?? [], recursive: flags.recursive ?? false },
    surroundings,
  );
  for (const warning of warnings) surroundings.stderr.write(`warning: ${printable(warning)}\n`);
  rememberDefinitions(manifests);
  const kinds = manifests.map(({ object }) => kindOf(object));
  const state = await readDefinitionsInto(await readState(flags, surroundings), kinds);
  const { webhook, close } = await openConversionWebhook(flags, surroundings);
  const transport = await openTransport(flags, surroundings);
  try {
    const run = await convertManifests(manifests, {
      ...{ state, question: flags, services: flags.service ?? [], surroundings },
      usedDefinition: memoize((own: ValueMap) => acceptDefinition(own, { server: state.server, webhook, flags, cwd: surroundings.cwd })),
      callWebhook: withTimeout(transport.callWebhook, flags.timeoutMs),
    });
    print({ ...run, notes: [...run.notes, ...connectionNotes(flags)] }, flags, surroundings);
    return exitCodeOf(run);
  } finally {
    await transport.close();
    await close();
  }
}

function checkFlags(flags: OtherWebhookFlags & Pick<ConvertFlags, 'filename' | 'to' | 'roundTrip'>): void {
  if (flags.filename === undefined)
    throw new CliError('usage', 'no objects to convert specified', { suggestions: ['pass custom resources with -f'] });
  if (flags.to === undefined && flags.roundTrip !== true) {
    throw new CliError('usage', 'no target version specified', {
      suggestions: ['pass --to VERSION', '--to all', '--round-trip'],
    });
  }
  checkOtherWebhook(flags);
}

function print(run: ConversionRun, flags: Pick<ConvertFlags, 'output' | 'noColor'>, { env, stdout, stderr }: Surroundings): void {
  const palette = terminalPalette(flags, { env, stdout });
  const { output } = flags;
  stdout.write(output === 'json' ? conversionJson(run) : output === 'yaml' ? conversionYaml(run) : conversionText(run, palette));
  if (output !== 'yaml') return;
  for (const conversion of run.conversions)
    if (conversion.outcome === 'failed') stderr.write(`Error from server: ${printable(conversion.message)}\n`);
  for (const { object, versions, message } of run.findings ?? [])
    stderr.write(`${printable(`${object} ${versions.join(' -> ')}: ${message}`)}\n`);
}

function exitCodeOf({ conversions, findings = [] }: ConversionRun): ExitCode {
  const failures = conversions.flatMap(conversion => (conversion.outcome === 'failed' ? [conversion.failure?.class] : []));
  const classes = [...failures, ...findings.map(({ failureClass }) => failureClass)];
  return gravestExitCode(classes.map(failureClass => (failureClass === undefined ? exitCodes.refused : exitCodeOfFailure[failureClass])));
}
