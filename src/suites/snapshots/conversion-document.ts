import { isMap, mapAt, toValue, type Value, type ValueMap } from '../../go/value.js';
import { withoutSecrets } from '../../redaction/secrets.js';
import type { ConversionRun, ReportedConversion } from '../conversions/conversion-run.js';
import { findingText } from '../conversions/expectations.js';
import { type Cleaning, cleanObject, cleanTexts } from './cleaning.js';

/**
 * Snapshot document of conversions: every object in each version, or the API server's message for a failure; and the findings of the round
 * trips, if requested.
 */
export function conversionDocument({ conversions, findings }: ConversionRun, cleaning: Cleaning): ValueMap {
  const found = (findings ?? []).map(findingText);
  return new Map<string, Value>([
    ['conversions', objectsOf(conversions).map(object => objectDocument(object, cleaning))],
    ...(found.length === 0 ? [] : [['findings', found.map(text => cleanTexts(withoutSecrets(text), cleaning))] as const]),
  ]);
}

/** The conversions of each object. Repeated objects are kept apart, even with the same name. */
function objectsOf(conversions: readonly ReportedConversion[]): ReportedConversion[][] {
  const objects: ReportedConversion[][] = [];
  for (const conversion of conversions) {
    const { object, from, to } = conversion;
    const own = objects.find(
      ([first, ...more]) => first?.object === object && first.from === from && ![first, ...more].some(made => made.to === to),
    );
    if (own === undefined) objects.push([conversion]);
    else own.push(conversion);
  }
  return objects;
}

function objectDocument(conversions: readonly ReportedConversion[], cleaning: Cleaning): Value {
  const [first] = conversions;
  return new Map<string, Value>([
    ['object', cleanTexts(first?.object ?? '', cleaning)],
    ['from', first?.from ?? ''],
    ['to', new Map(conversions.map(conversion => [conversion.to, outcomeDocument(conversion, cleaning)]))],
  ]);
}

function outcomeDocument(conversion: ReportedConversion, cleaning: Cleaning): Value {
  if (conversion.outcome === 'converted') return cleanObject(withoutServerMetadata(conversion.converted), cleaning);
  const { message, failure } = conversion;
  return cleanTexts(
    withoutSecrets(toValue({ failed: message, ...(failure?.class === undefined ? {} : { class: failure.class }) })),
    cleaning,
  );
}

/** Metadata that the API server sets itself, which no webhook can change. */
const serverMetadata: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'managedFields',
  'selfLink',
]);

function withoutServerMetadata(object: ValueMap): ValueMap {
  const metadata = mapAt(object, 'metadata');
  if (!isMap(metadata)) return object;
  return new Map([...object, ['metadata', new Map([...metadata].filter(([key]) => !serverMetadata.has(key)))]]);
}
