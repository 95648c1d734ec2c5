import { conversionWorldOf } from '../../apiserver/custom-versions.js';
import { servedBy } from '../../apiserver/served-resources.js';
import {
  type Conversion,
  type StoredConversions,
  shortVersion,
  storedConversions,
  versionsOf,
} from '../../apiserver/stored-conversions.js';
import { conversionCauseOf } from '../../apiserver/webhooks/failures/cause-of.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { storageOf } from '../../kubernetes/storage.js';
import { stringAt, type ValueMap } from '../../kubernetes/value.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import {
  type ConversionRun,
  conversionJson,
  conversionText,
  conversionYaml,
  type ReportedConversion,
} from '../../reports/conversion-report.js';
import { colourLevel, paletteOf } from '../../reports/palette.js';
import { type ConversionFinding, checkConversions, nameOf } from '../../suites/conversions/checks.js';
import { CliError } from '../cli-error.js';
import { effectsFor } from '../effects.js';
import { type ExitCode, exitCodeOfFailure, exitCodes, gravestExitCode } from '../exit-codes.js';
import { readInputFile } from '../input/files.js';
import { type Manifest, readManifests } from '../input/manifests.js';
import { asStored, readState } from '../input/state.js';
import type { Surroundings } from '../surroundings.js';
import { authorityOf, connectionNotes } from '../webhooks/cluster-webhooks.js';
import { openTransport } from '../webhooks/connection.js';
import { startDemo } from '../webhooks/demo.js';
import { checkUrl } from '../webhooks/registration.js';
import { requiredServiceAddresses } from '../webhooks/services.js';
import type { ConvertFlags } from './convert-flags.js';
import {
  checkDefinition,
  definitionOfManifest,
  isListOf,
  type OtherWebhook,
  targetVersions,
  withAuthority,
  withWebhook,
} from './definitions.js';

/** Converts the objects of the manifests as the API server does when it reads them in another version, and prints what comes of it. */
export async function runConvert(flags: ConvertFlags, surroundings: Surroundings): Promise<ExitCode> {
  checkFlags(flags);
  const state = await readState(flags, surroundings);
  const { manifests, warnings } = await readManifests(
    { flag: '-f', paths: flags.filename ?? [], recursive: flags.recursive ?? false },
    surroundings,
  );
  for (const warning of warnings) surroundings.stderr.write(`warning: ${warning}\n`);
  const groups = groupsOf(manifests, state);
  const { webhook, close } = await otherWebhook(flags, surroundings);
  const transport = await openTransport(flags, surroundings.cwd);
  try {
    const place = { state, flags, surroundings, webhook, callWebhook: withLimit(transport.callWebhook, flags.timeout) };
    const run = await runGroups(groups, place);
    print(run, flags, surroundings);
    return exitCodeOf(run);
  } finally {
    await transport.close();
    await close();
  }
}

function checkFlags(flags: ConvertFlags): void {
  if (flags.filename === undefined)
    throw new CliError('usage', 'nothing says what to convert', { suggestions: ['pass custom resources with -f'] });
  if (flags.to === undefined && flags['round-trip'] !== true) {
    throw new CliError('usage', 'nothing says to which version to convert', {
      suggestions: ['pass --to VERSION', '--to all', '--round-trip'],
    });
  }
  if (flags.url !== undefined && flags.demo === true) throw new CliError('usage', '--url and --demo are two answers to one question');
  if (flags.url !== undefined) checkUrl(flags.url, flags);
}

/** The manifests of one definition, in their order. */
interface Group {
  readonly definition: ValueMap;
  readonly manifests: Manifest[];
}

function groupsOf(manifests: readonly Manifest[], state: ClusterState): Group[] {
  const groups = new Map<ValueMap, Group>();
  for (const manifest of manifests) {
    const definition = definitionOfManifest(manifest, state);
    const group = groups.get(definition) ?? { definition, manifests: [] };
    group.manifests.push(manifest);
    groups.set(definition, group);
  }
  return [...groups.values()];
}

interface Other {
  readonly webhook: OtherWebhook | undefined;
  readonly close: () => Promise<void>;
}

async function otherWebhook(flags: ConvertFlags, { cwd, now }: Surroundings): Promise<Other> {
  const reviewVersions = (flags['review-versions'] ?? 'v1').split(',');
  if (flags.demo === true) {
    const { offers } = await import('../../webhook-server/handlers/offers.js');
    const { conversion, close } = await startDemo({ now: () => flags.now ?? now() }, offers);
    return { webhook: { ...conversion, reviewVersions }, close };
  }
  const close = async (): Promise<void> => {};
  if (flags.url === undefined) return { webhook: undefined, close };
  return { webhook: { url: flags.url, caBundle: authorityOf(flags, cwd), reviewVersions }, close };
}

/** The API server waits 30 seconds for a conversion; `--timeout` gives up earlier. */
function withLimit(callWebhook: CallWebhook, timeoutMs: number | undefined): CallWebhook {
  return timeoutMs === undefined ? callWebhook : call => callWebhook({ ...call, deadlineMs: Math.min(call.deadlineMs, timeoutMs) });
}

interface Place {
  readonly state: ClusterState;
  readonly flags: ConvertFlags;
  readonly surroundings: Surroundings;
  readonly webhook: OtherWebhook | undefined;
  readonly callWebhook: CallWebhook;
}

async function runGroups(groups: readonly Group[], place: Place): Promise<ConversionRun> {
  const conversions: ReportedConversion[] = [];
  const findings: ConversionFinding[] = [];
  for (const group of groups) {
    const definition = await usedDefinition(group.definition, place);
    const converter = converterFor(definition, place);
    const objects = storedObjects(group, place);
    if (place.flags.to !== undefined) conversions.push(...(await converted(group, objects, { to: place.flags.to, definition, converter })));
    if (place.flags['round-trip'] === true) findings.push(...(await checkConversions(objects, versionsOf(definition), converter)));
  }
  return { conversions, findings: place.flags['round-trip'] === true ? findings : undefined, notes: connectionNotes(place.flags) };
}

async function usedDefinition(own: ValueMap, { flags, surroundings, webhook }: Place): Promise<ValueMap> {
  const file = flags['ca-file'];
  const definition =
    webhook !== undefined
      ? withWebhook(own, webhook)
      : file === undefined
        ? own
        : withAuthority(own, Buffer.from(readInputFile(file, surroundings.cwd)).toString('utf8'));
  // An address without TLS is refused by every API server, and was allowed by a flag.
  if (flags['allow-http'] !== true) await checkDefinition(definition);
  return definition;
}

function converterFor(definition: ValueMap, { state, flags, callWebhook }: Place): StoredConversions {
  const serviceAddress = requiredServiceAddresses(flags.service ?? [], state);
  const effects = { ...effectsFor(callWebhook, flags), serviceAddress };
  return storedConversions(definition, conversionWorldOf(definition, { storage: storageOf(state), effects, flags: state.flags }));
}

function storedObjects({ manifests }: Group, { state, flags, surroundings, callWebhook }: Place): ValueMap[] {
  const namespace = flags.namespace ?? 'default';
  const objects = manifests.map(({ object }) => object);
  const uid = flags.seed === undefined ? surroundings.uid : effectsFor(callWebhook, flags).uid;
  return asStored(objects, { served: servedBy(state), namespace }, { uid, now: () => flags.now ?? surroundings.now() });
}

interface Wanted {
  readonly to: string;
  readonly definition: ValueMap;
  readonly converter: StoredConversions;
}

/** A list of the kind is one review; every other object has its own. */
async function converted(
  { manifests }: Group,
  objects: readonly ValueMap[],
  { to, definition, converter }: Wanted,
): Promise<ReportedConversion[]> {
  const reported: ReportedConversion[] = [];
  for (const [i, object] of objects.entries()) {
    const list = manifests[i]?.list;
    const together = isListOf(list, definition) ? objects.filter((_, other) => manifests[other]?.list === list) : undefined;
    if (together === undefined) {
      const own = stringAt(object, 'apiVersion');
      for (const version of targetVersions(to, own, definition)) reported.push(reportedOf(await converter.one(object, version)));
    } else if (together[0] === object) {
      const versions = to === 'all' ? versionsOf(definition) : targetVersions(to, '', definition);
      for (const version of versions) reported.push(...(await converter.list(together, version)).map(reportedOf));
    }
  }
  return reported;
}

function reportedOf(conversion: Conversion): ReportedConversion {
  const { stored, to } = conversion;
  const from = shortVersion(stringAt(stored, 'apiVersion'));
  return { conversion, object: nameOf(stored), from, to: shortVersion(to), cause: causeOfFailure(conversion) };
}

/** Undefined where nothing failed, or the definition itself allows no such conversion. */
function causeOfFailure(conversion: Conversion): ReportedConversion['cause'] {
  if (conversion.outcome === 'converted') return undefined;
  const words = /^conversion webhook for \S*, Kind=\S* (?:failed: )?(.*)$/s.exec(conversion.message)?.[1];
  return words === undefined ? undefined : conversionCauseOf(words);
}

function print(run: ConversionRun, flags: ConvertFlags, { env, stdout, stderr }: Surroundings): void {
  const palette = paletteOf(colourLevel(env, { isTerminal: stdout.isTerminal, refused: flags['no-color'] ?? false }));
  const { output } = flags;
  stdout.write(output === 'json' ? conversionJson(run) : output === 'yaml' ? conversionYaml(run) : conversionText(run, palette));
  if (output !== 'yaml') return;
  for (const { conversion } of run.conversions)
    if (conversion.outcome === 'failed') stderr.write(`Error from server: ${conversion.message}\n`);
  for (const { object, versions, message } of run.findings ?? []) stderr.write(`${object} ${versions.join(' -> ')}: ${message}\n`);
}

function exitCodeOf({ conversions, findings = [] }: ConversionRun): ExitCode {
  const failures = conversions.flatMap(({ conversion }) => (conversion.outcome === 'failed' ? [conversion.failureClass] : []));
  const classes = [...failures, ...findings.map(({ failureClass }) => failureClass)];
  return gravestExitCode(classes.map(failureClass => (failureClass === undefined ? exitCodes.refused : exitCodeOfFailure[failureClass])));
}
