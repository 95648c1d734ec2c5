import { servedBy } from '../../../apiserver/call/served-resources.js';
import { conversionWorldOf } from '../../../apiserver/endpoints/custom-versions.js';
import {
  type Conversion,
  type StoredConversions,
  shortVersion,
  storedConversions,
  versionsOf,
} from '../../../apiserver/storage/stored-conversions.js';
import { conversionCauseOf } from '../../../apiserver/webhooks/failures/cause-of.js';
import { CliError } from '../../../client/cli-error.js';
import { asStored } from '../../../client/manifests/cluster-state.js';
import type { Manifest } from '../../../client/manifests/manifests.js';
import type { ServiceMapping } from '../../../client/options/address-values.js';
import { readAsNeeded } from '../../../client/run/read-as-needed.js';
import { mapAt, stringAt, type ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import { kindOf, storageOf } from '../../../kubernetes/storage.js';
import { isTooDeep } from '../../../kubernetes/too-deep.js';
import type { CallWebhook } from '../../../kubernetes/webhook-call.js';
import { type ConversionFinding, checkConversions, nameOfConverted } from '../../../suites/conversions/checks.js';
import type { ConversionRun, ReportedConversion } from '../../../suites/conversions/conversion-run.js';
import type { ConvertFlags } from '../../options/convert-flags.js';
import { effectsFor } from '../../shell/effects.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { requiredServiceAddresses } from '../webhooks/services.js';
import { definitionOfManifest, isListOf, targetVersions } from './definitions.js';
import { lossSentence, lostFields } from './lost-fields.js';

/** Flags of the conversions. */
export type ConversionQuestion = Pick<ConvertFlags, 'to' | 'roundTrip' | 'ignoreField' | 'namespace' | 'seed' | 'now'>;

/** Context of the conversions. */
export interface ConversionMaking {
  readonly state: ClusterState;
  readonly question: ConversionQuestion;
  /** Returns a definition with the webhook of the flags. Throws CliError for a definition that the API server refuses. */
  readonly usedDefinition: (definition: ValueMap) => Promise<ValueMap>;
  readonly callWebhook: CallWebhook;
  /** `--service` of the webhooks. */
  readonly services: readonly ServiceMapping[];
  readonly surroundings: Pick<Surroundings, 'uid' | 'now'>;
}

/**
 * Converts the objects of manifests as the API server does when it reads them in another version, and runs the round-trip checks. Definitions are
 * in the state or among the manifests. Throws CliError for objects without a definition.
 */
export async function convertManifests(manifests: readonly Manifest[], making: ConversionMaking): Promise<ConversionRun> {
  try {
    return await convertInState(manifests, making);
  } catch (error) {
    if (!isTooDeep(error)) throw error;
    const limit = 'an object or schema in these conversions is nested too deeply';
    throw new CliError('not-there-yet', limit, { cause: error });
  }
}

async function convertInState(manifests: readonly Manifest[], making: ConversionMaking): Promise<ConversionRun> {
  const definitions = manifests.filter(isDefinition).map(({ object }) => object);
  const { state } = making;
  const inCluster = definitions.length === 0 ? state : { ...state, objects: [...definitions, ...state.objects] };
  const groups = groupsOf(
    manifests.filter(manifest => !isDefinition(manifest)),
    inCluster,
  );
  const conversions: ReportedConversion[] = [];
  const findings: ConversionFinding[] = [];
  const notes = new Set<string>();
  const { question } = making;
  const ignored = question.ignoreField ?? [];
  for (const group of groups) {
    const definition = await making.usedDefinition(group.definition);
    const place = { ...making, state: inCluster };
    await readAsNeeded(state.source, () => serviceOf(definition, inCluster));
    const converter = converterFor(definition, place);
    const objects = storedObjects(group, place);
    if (question.to !== undefined) conversions.push(...(await convertGroup(group, objects, { to: question.to, definition, converter })));
    for (const note of conversions.flatMap(lossOf)) notes.add(note);
    if (question.roundTrip !== true) continue;
    const checks = await checkConversions(objects, versionsOf(definition), converter, ignored);
    findings.push(...checks.findings);
    for (const { field, reason } of checks.harmless) notes.add(`round trips change ${field}: ${reason}`);
  }
  return { conversions, findings: question.roundTrip === true ? findings : undefined, notes: [...notes] };
}

/** Looks up the service of a conversion webhook, which conversions would find missing. */
function serviceOf(definition: ValueMap, state: ClusterState): ValueMap | undefined {
  const service = mapAt(definition, 'spec', 'conversion', 'webhook', 'clientConfig', 'service');
  if (service === undefined) return undefined;
  return storageOf(state).find({ group: '', kind: 'Service' }, stringAt(service, 'namespace'), stringAt(service, 'name'));
}

function isDefinition({ object }: Manifest): boolean {
  const { group, kind } = kindOf(object);
  return group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition';
}

/** Manifests of one definition, in order. */
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

function converterFor(definition: ValueMap, { state, question, services, callWebhook }: ConversionMaking): StoredConversions {
  const effects = { ...effectsFor(callWebhook, question), serviceAddress: requiredServiceAddresses(services, state) };
  return storedConversions(
    state.server,
    definition,
    conversionWorldOf(definition, { storage: storageOf(state), effects, options: state.options }),
  );
}

function storedObjects({ manifests }: Group, { state, question, surroundings, callWebhook }: ConversionMaking): ValueMap[] {
  const namespace = question.namespace ?? 'default';
  const objects = manifests.map(({ object }) => object);
  const uid = question.seed === undefined ? surroundings.uid : effectsFor(callWebhook, question).uid;
  return asStored(objects, { served: servedBy(state), namespace }, { uid, now: () => question.now ?? surroundings.now() });
}

interface Wanted {
  readonly to: readonly string[];
  readonly definition: ValueMap;
  readonly converter: StoredConversions;
}

/** Converts a list of the kind in one review, and every other object in its own. */
async function convertGroup(
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
      for (const version of targetVersions(to, '', definition)) reported.push(...(await converter.list(together, version)).map(reportedOf));
    }
  }
  return reported;
}

/** Conversions without a webhook report what they lose. */
function lossOf(conversion: ReportedConversion): string[] {
  if (conversion.outcome !== 'converted' || conversion.calledWebhook) return [];
  const lost = lostFields(conversion.stored, conversion.converted);
  return lost.length === 0 ? [] : [lossSentence(conversion, lost)];
}

function reportedOf(conversion: Conversion): ReportedConversion {
  const { stored, to } = conversion;
  const from = shortVersion(stringAt(stored, 'apiVersion'));
  const what = { object: nameOfConverted(stored), from, to: shortVersion(to), stored };
  if (conversion.outcome === 'converted')
    return { ...what, outcome: 'converted', calledWebhook: conversion.answered !== undefined, converted: conversion.object };
  const { message, failureClass } = conversion;
  const detail = /^conversion webhook for \S*, Kind=\S* (?:failed: )?(.*)$/s.exec(message)?.[1];
  if (detail === undefined) return { ...what, outcome: 'failed', message };
  const { id, fault, why, try: advice } = conversionCauseOf(detail);
  const failure = { ...(failureClass === undefined ? {} : { class: failureClass }), cause: id, fault, why, try: advice };
  return { ...what, outcome: 'failed', message, failure };
}
