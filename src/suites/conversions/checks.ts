import { type Conversion, type StoredConversions, shortVersion } from '../../apiserver/storage/stored-conversions.js';
import { mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { FailureClass } from '../../kubernetes/webhook-call.js';
import { changesText, type FieldDifference, fieldDifferences } from './differences.js';

/** Something that a conversion webhook should keep, and does not. */
export interface ConversionFinding {
  readonly check: 'failed' | 'round-trip' | 'repeated' | 'list' | 'partial' | 'undeclared' | 'metadata';
  /** `Lamp team/w1` */
  readonly object: string;
  /** The versions it went through: `['v1', 'v1beta1', 'v1']`. */
  readonly versions: readonly string[];
  readonly message: string;
  /** Of a call that failed; undefined where none did, or the webhook itself refuses. */
  readonly failureClass: FailureClass | undefined;
  readonly fields: readonly FieldDifference[];
  /** What was compared; undefined when nothing was. */
  readonly before: ValueMap | undefined;
  readonly after: ValueMap | undefined;
}

/**
 * Converts every object from each of the versions to each other and back, and tells what is lost; and asks whether the same answer
 * comes twice, whether a mixed list comes back as its items do, whether an object with metadata alone is converted, and whether an
 * answer has what the API server drops: fields that the schema does not declare, metadata other than labels and annotations.
 * The API server itself checks none of this. Equal findings once.
 */
export async function checkConversions(
  objects: readonly ValueMap[],
  versions: readonly string[],
  conversions: StoredConversions,
): Promise<ConversionFinding[]> {
  const findings: ConversionFinding[] = [];
  for (const object of objects) {
    for (const start of versions) {
      findings.push(...(await checkFrom(object, start, { versions, conversions })));
      // A webhook that cannot be called says the same to every other question.
      if (findings.some(({ failureClass }) => failureClass !== undefined && unreachable.has(failureClass))) return findings.slice(0, 1);
    }
    findings.push(...(await checkPartial(object, versions, conversions)));
  }
  for (const to of versions) findings.push(...(await checkList(objects, to, { versions, conversions })));
  const keys = findings.map(({ check, object, versions: through, message }) => [check, object, ...through, message].join('\n'));
  return findings.filter((_, i) => keys.indexOf(keys[i] ?? '') === i);
}

const unreachable: ReadonlySet<FailureClass> = new Set(['dns', 'tcp', 'tls', 'time']);

interface Around {
  readonly versions: readonly string[];
  readonly conversions: StoredConversions;
}

type Converted = Extract<Conversion, { outcome: 'converted' }>;

/** Takes the object to one version, and from there to every other and back. */
async function checkFrom(object: ValueMap, start: string, { versions, conversions }: Around): Promise<ConversionFinding[]> {
  const first = await conversions.one(object, start);
  if (first.outcome === 'failed') return [failure(first)];
  const findings = answerFindings(first);
  for (const other of versions.filter(version => version !== start)) {
    const there = await conversions.one(first.object, other);
    if (there.outcome === 'failed') {
      findings.push(failure(there));
      continue;
    }
    findings.push(...answerFindings(there), ...(await checkRepeated(there, conversions)));
    const back = await conversions.one(there.object, start);
    findings.push(...(back.outcome === 'failed' ? [failure(back)] : [...answerFindings(back), ...roundTrip(there, back)]));
  }
  return findings;
}

/** What is not as it was. An annotation that is left behind does no harm: the version that has no place for a field keeps it there. */
function roundTrip(there: Converted, back: Converted): ConversionFinding[] {
  const fields = fieldDifferences(there.stored, back.object).filter(
    ({ field, outcome }) => outcome !== 'added' || !/^metadata\.annotations\b/.test(field),
  );
  if (fields.length === 0) return [];
  const versions = [versionOf(there.stored), shortVersion(there.to), versionOf(back.object)];
  const message = changesText(fields);
  const failureClass = undefined;
  return [
    {
      check: 'round-trip',
      object: nameOf(there.stored),
      versions,
      message,
      failureClass,
      fields,
      before: there.stored,
      after: back.object,
    },
  ];
}

async function checkRepeated(first: Converted, conversions: StoredConversions): Promise<ConversionFinding[]> {
  const again = await conversions.one(first.stored, first.to);
  const after = again.outcome === 'converted' ? again.object : undefined;
  const fields = fieldDifferences(first.object, after);
  if (fields.length === 0) return [];
  return [finding('repeated', first, { message: 'the same object converts to something else the second time', fields, after })];
}

/** What the API server takes away from an answer. */
function answerFindings(conversion: Converted): ConversionFinding[] {
  const { answered, object, stored } = conversion;
  if (answered === undefined) return [];
  const undeclared = fieldDifferences(answered, object).filter(({ field, outcome }) => outcome === 'lost' && !/^metadata\b/.test(field));
  const metadata = fieldDifferences(withoutTexts(stored), withoutTexts(answered));
  return [
    ...(undeclared.length === 0
      ? []
      : [
          finding('undeclared', conversion, {
            message: `the schema does not declare ${listed(undeclared)}: dropped, and server-side apply fails on it`,
            fields: undeclared,
          }),
        ]),
    ...(metadata.length === 0
      ? []
      : [
          finding('metadata', conversion, {
            message: `only labels and annotations may change: what was done to ${listed(metadata)} is undone`,
            fields: metadata,
          }),
        ]),
  ];
}

function listed(fields: readonly FieldDifference[]): string {
  return fields.map(({ field }) => field).join(', ');
}

/** Only the metadata, and of it what may not change. */
function withoutTexts(object: ValueMap): ValueMap {
  const metadata = [...(mapAt(object, 'metadata') ?? [])].filter(([key]) => key !== 'labels' && key !== 'annotations');
  return new Map<string, Value>([['metadata', new Map(metadata)]]);
}

/** Managed fields and apply convert objects of which little is there. */
async function checkPartial(object: ValueMap, versions: readonly string[], conversions: StoredConversions): Promise<ConversionFinding[]> {
  const partial = new Map([...object].filter(([key]) => ['apiVersion', 'kind', 'metadata'].includes(key)));
  const findings: ConversionFinding[] = [];
  for (const to of versions.filter(version => version !== stringAt(object, 'apiVersion'))) {
    const conversion = await conversions.one(partial, to);
    if (conversion.outcome === 'failed')
      findings.push({ ...failure(conversion), check: 'partial', message: `an object with nothing but metadata: ${conversion.message}` });
  }
  return findings;
}

/** All objects in all versions at once: the answer keeps their number and order. */
async function checkList(objects: readonly ValueMap[], to: string, { versions, conversions }: Around): Promise<ConversionFinding[]> {
  const items: ValueMap[] = [];
  for (const object of objects) {
    for (const version of versions) {
      const conversion = await conversions.one(object, version);
      if (conversion.outcome === 'converted') items.push(conversion.object);
    }
  }
  const alone: Conversion[] = [];
  for (const item of items) alone.push(await conversions.one(item, to));
  // What cannot be converted alone has been told.
  const converted = alone.filter(conversion => conversion.outcome === 'converted');
  if (converted.length < items.length) return [];
  const together = await conversions.list(items, to);
  return together.flatMap((conversion, i) => {
    const single = converted[i];
    if (single === undefined) return [];
    if (conversion.outcome === 'failed') {
      return i === 0
        ? [{ ...failure(conversion), check: 'list', message: `a list of several versions: ${conversion.message}` } as const]
        : [];
    }
    const fields = fieldDifferences(single.object, conversion.object);
    const message = `in a list it converts to something else than alone: ${listed(fields)}`;
    return fields.length === 0 ? [] : [finding('list', single, { message, fields, after: conversion.object })];
  });
}

function finding(
  check: ConversionFinding['check'],
  conversion: Converted,
  { message, fields, after }: { message: string; fields: readonly FieldDifference[]; after?: ValueMap | undefined },
): ConversionFinding {
  const { stored, object, to } = conversion;
  const versions = [versionOf(stored), shortVersion(to)];
  const before = after === undefined ? undefined : object;
  return { check, object: nameOf(stored), versions, message, failureClass: undefined, fields, before, after };
}

function failure({ stored, to, message, failureClass }: Extract<Conversion, { outcome: 'failed' }>): ConversionFinding {
  const versions = [versionOf(stored), shortVersion(to)];
  return { check: 'failed', object: nameOf(stored), versions, message, failureClass, fields: [], before: undefined, after: undefined };
}

function versionOf(object: ValueMap): string {
  return shortVersion(stringAt(object, 'apiVersion'));
}

/** `Lamp team/w1` */
export function nameOf(object: ValueMap): string {
  const place = [stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')].filter(part => part !== '').join('/');
  return `${stringAt(object, 'kind')} ${place}`.trimEnd();
}
