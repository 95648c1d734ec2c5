import type { Manifest } from '../../../client/manifests/manifests.js';
import { writeYaml } from '../../../encoding/yaml-writer.js';
import { listAt, stringAt, type ValueMap, valueAt } from '../../../go/value.js';
import { isDefinition } from '../../../kubernetes/definition-resources.js';
import { kindOf } from '../../../kubernetes/storage.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { hasConversionWebhook } from '../../work/webhooks/configurations.js';
import type { FoundObjects } from './found-objects.js';
import { type TriedCall, type TriedCluster, tryCall } from './try-call.js';

/** A manifest of the project that gets a case. */
export interface Sample extends TriedCall {
  /** `widget v1` */
  readonly name: string;
  /** File of the project. */
  readonly file: string;
  /** Served versions of its kind, as `Widget in shop.example.com/v2`; the first is its own. */
  readonly versions: readonly string[];
  /** The manifest with an empty spec in place of none, if that is why the API server refuses it; it is written beside the suite. */
  readonly repaired: string | undefined;
  readonly mayReinvoke: boolean;
  /** A conversion webhook converts its kind. */
  readonly isConverted: boolean;
}

interface Around extends TriedCluster {
  readonly first: Manifest;
}

/** More samples say little that these do not. */
const maxSamples = 20;

/** Returns the samples of the custom resources in the files, in every version, if the first manifest is of one of them; none otherwise. */
export async function findSamples(found: FoundObjects, { first, ...around }: Around, surroundings: Surroundings): Promise<Sample[]> {
  const definitions = around.cluster.filter(isDefinition);
  const definitionOf = ({ object }: Manifest): ValueMap | undefined => definitions.find(definition => isOfDefinition(object, definition));
  if (definitionOf(first) === undefined) return [];
  const files = found.candidates.filter(({ manifests }) => manifests.length === 1);
  const samples: Sample[] = [];
  for (const { name: file, manifests } of files) {
    const [manifest] = manifests;
    const definition = manifest === undefined ? undefined : definitionOf(manifest);
    if (manifest === undefined || definition === undefined || samples.length === maxSamples) continue;
    const tried = await trySample(manifest, around, surroundings);
    const name = unusedName(manifest.object, samples);
    const isConverted = hasConversionWebhook(definition);
    if (tried.called.length === 0 && !isConverted) continue;
    const versions = servedVersions(manifest.object, definition);
    samples.push({ ...tried, name, file, versions, isConverted, mayReinvoke: mayReinvoke(tried, found) });
  }
  const [only, second] = samples;
  return only !== undefined && second === undefined ? [{ ...only, name: only.name.replace(/ .*/, '') }] : samples;
}

/** Returns a sentence for each served version of the samples' kinds of which there is no sample: its own calls get no case. */
export function versionsWithoutSample(samples: readonly Sample[]): string[] {
  const own = new Set(samples.map(({ versions: [first] }) => first));
  const converted = new Set(samples.filter(({ isConverted }) => isConverted).flatMap(({ versions }) => versions));
  const others = [...new Set(samples.flatMap(({ versions }) => versions))].filter(version => !own.has(version));
  return others.map(
    version =>
      `a sample of ${version}, which is served: the suite ${converted.has(version) ? 'converts to it, but ' : ''}makes no call in it`,
  );
}

/** Reports whether one of the called webhooks may be called again, depending on what changes the object after it. */
export function mayReinvoke({ called }: TriedCall, { webhooks }: FoundObjects): boolean {
  return webhooks.some(
    ({ webhook }) => called.includes(stringAt(webhook, 'name')) && stringAt(webhook, 'reinvocationPolicy') === 'IfNeeded',
  );
}

function isOfDefinition(object: ValueMap, definition: ValueMap): boolean {
  const { group, kind } = kindOf(object);
  const spec = valueAt(definition, 'spec');
  const version = stringAt(object, 'apiVersion').slice(group.length + 1);
  return (
    stringAt(spec, 'group') === group &&
    stringAt(spec, 'names', 'kind') === kind &&
    listAt(spec, 'versions').some(one => stringAt(one, 'name') === version && valueAt(one, 'served') === true)
  );
}

function servedVersions(object: ValueMap, definition: ValueMap): string[] {
  const { group, kind } = kindOf(object);
  const own = stringAt(object, 'apiVersion');
  const served = listAt(definition, 'spec', 'versions').filter(version => valueAt(version, 'served') === true);
  const all = served.map(version => `${group}/${stringAt(version, 'name')}`);
  return [own, ...all.filter(version => version !== own)].map(version => `${kind} in ${version}`);
}

/** The samples of kubebuilder have a spec of comments only, which is null, and which most schemas do not allow. */
async function trySample(
  manifest: Manifest,
  cluster: TriedCluster,
  surroundings: Surroundings,
): Promise<TriedCall & Pick<Sample, 'repaired'>> {
  const tried = await tryCall(manifest, cluster, surroundings);
  if (tried.refusal === undefined || manifest.object.get('spec') !== null) return { ...tried, repaired: undefined };
  const object: ValueMap = new Map([...manifest.object]).set('spec', new Map());
  const again = await tryCall({ ...manifest, object }, cluster, surroundings);
  return again.refusal === undefined ? { ...again, repaired: writeYaml(object) } : { ...tried, repaired: undefined };
}

function unusedName(object: ValueMap, samples: readonly Sample[]): string {
  const version = stringAt(object, 'apiVersion').split('/').at(-1) ?? '';
  const names = [
    `${kindOf(object).kind.toLowerCase()} ${version}`,
    `${kindOf(object).kind.toLowerCase()} ${version} ${stringAt(object, 'metadata', 'name')}`,
  ];
  const isFree = (name: string): boolean => samples.every(sample => sample.name !== name);
  return names.find(isFree) ?? `${names[1]} ${samples.length + 1}`;
}
