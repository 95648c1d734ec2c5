import { definitionsOf } from '../../../apiserver/call/definitions.js';
import { conversionWorldOf } from '../../../apiserver/endpoints/custom-versions.js';
import { shortVersion, storedConversions, versionsOf } from '../../../apiserver/storage/stored-conversions.js';
import { stringAt, type ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import { kindOf, storageOf } from '../../../kubernetes/storage.js';
import { nameOfConverted } from '../../../suites/conversions/checks.js';
import { changesText, covers, type FieldDifference, fieldDifferences } from '../../../suites/conversions/differences.js';
import { effectsFor } from '../../shell/effects.js';

/** Returns a sentence for each other version of a custom resource in which it has lost fields because its definition converts by renaming. */
export async function fieldsLostInVersions(state: ClusterState, object: ValueMap): Promise<string[]> {
  const { group, kind } = kindOf(object);
  const definition = definitionsOf(state).find(
    each => stringAt(each, 'spec', 'group') === group && stringAt(each, 'spec', 'names', 'kind') === kind,
  );
  if (definition === undefined || stringAt(definition, 'spec', 'conversion', 'strategy') === 'Webhook') return [];
  const own = stringAt(object, 'apiVersion');
  const others = versionsOf(definition).filter(version => version !== own);
  if (others.length === 0) return [];
  const effects = effectsFor(() => Promise.reject(new Error('the strategy None calls no webhook')));
  const world = conversionWorldOf(definition, { storage: storageOf(state), effects, options: state.options });
  const converter = storedConversions(state.server, definition, world);
  const sentences: string[] = [];
  for (const version of others) {
    const conversion = await converter.one(object, version);
    if (conversion.outcome !== 'converted') continue;
    const lost = lostFields(object, conversion.object);
    if (lost.length > 0)
      sentences.push(lossSentence({ object: nameOfConverted(object), from: shortVersion(own), to: shortVersion(version) }, lost));
  }
  return sentences;
}

/** Returns the fields that an object has no more after a conversion; all versions have the same metadata. */
export function lostFields(before: ValueMap, after: ValueMap): FieldDifference[] {
  return fieldDifferences(before, after).filter(difference => difference.outcome === 'lost' && !covers(['metadata'], difference));
}

/** The strategy None renames the version, and the API server prunes what the other one does not have: no error shows it. */
export function lossSentence(
  { object, from, to }: { readonly object: string; readonly from: string; readonly to: string },
  lost: readonly FieldDifference[],
): string {
  return `${object}: ${from} -> ${to}: ${changesText(lost)}: the conversion strategy None only renames the version, and the API server drops fields that the other one lacks`;
}
