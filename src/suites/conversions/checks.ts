import { type Conversion, type StoredConversions, shortVersion } from '../../apiserver/storage/stored-conversions.js';
import type { AnswerPath } from '../../client/field-path.js';
import { mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { FailureClass } from '../../kubernetes/webhook-call.js';
import { changesText, covers, type FieldDifference, fieldDifferences } from './differences.js';

/** A rule that a conversion webhook violates. */
export interface ConversionFinding {
  readonly check: 'failed' | 'round-trip' | 'repeated' | 'list' | 'partial' | 'undeclared' | 'metadata';
  /** `Lamp team/w1` */
  readonly object: string;
  /** The versions it was converted through: `['v1', 'v1beta1', 'v1']`. */
  readonly versions: readonly string[];
  readonly message: string;
  /** For a call that failed; undefined if none did, or if the webhook refused. */
  readonly failureClass: FailureClass | undefined;
  readonly fields: readonly FieldDifference[];
  /** The compared objects; undefined if nothing was compared. */
  readonly before: ValueMap | undefined;
  readonly after: ValueMap | undefined;
}

/** Result of the checks of a conversion webhook. */
export interface ConversionChecks {
  readonly findings: readonly ConversionFinding[];
  /** One per round trip: fields repeat. */
  readonly harmless: readonly HarmlessDifference[];
}

/**
 * Converts every object from each version to each other version and back, and reports lost fields. Also checks whether a repeated
 * conversion gives the same result, whether a mixed list is converted like its items, whether an object with metadata only is converted,
 * and whether an answer contains what the API server drops: undeclared fields, and metadata other than labels and annotations. The API
 * server checks none of this. Duplicate findings are removed; harmless differences are listed apart.
 */
export async function checkConversions(
  objects: readonly ValueMap[],
  versions: readonly string[],
  conversions: StoredConversions,
  ignored: readonly AnswerPath[] = [],
): Promise<ConversionChecks> {
  const findings: ConversionFinding[] = [];
  const harmless: HarmlessDifference[] = [];
  const around = { versions, conversions, ignored, harmless };
  for (const object of objects) {
    for (const start of versions) {
      findings.push(...(await checkFrom(object, start, around)));
      // A webhook that cannot be called would fail every other check the same way.
      if (findings.some(({ failureClass }) => failureClass !== undefined && unreachable.has(failureClass)))
        return { findings: findings.slice(0, 1), harmless };
    }
    findings.push(...(await checkPartial(object, versions, conversions)));
  }
  for (const to of versions) findings.push(...(await checkList(objects, to, around)));
  const keys = findings.map(({ check, object, versions: through, message }) => [check, object, ...through, message].join('\n'));
  return { findings: findings.filter((_, i) => keys.indexOf(keys[i] ?? '') === i), harmless };
}

const unreachable: ReadonlySet<FailureClass> = new Set(['dns', 'tcp', 'tls', 'time']);

interface Around {
  readonly versions: readonly string[];
  readonly conversions: StoredConversions;
  readonly ignored: readonly AnswerPath[];
  /** Differences that are not findings are added to it. */
  readonly harmless: HarmlessDifference[];
}

type Converted = Extract<Conversion, { outcome: 'converted' }>;

/** Converts the object to one version, and from there to every other and back. */
async function checkFrom(object: ValueMap, start: string, around: Around): Promise<ConversionFinding[]> {
  const { versions, conversions } = around;
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
    findings.push(...(back.outcome === 'failed' ? [failure(back)] : [...answerFindings(back), ...roundTrip(there, back, around)]));
  }
  return findings;
}

/** Fields that changed. An additional annotation is allowed: it keeps fields that the other version does not have. */
function roundTrip(there: Converted, back: Converted, { ignored, harmless }: Around): ConversionFinding[] {
  const differences = fieldDifferences(there.stored, back.object).filter(
    ({ field, outcome }) => outcome !== 'added' || !/^metadata\.annotations\b/.test(field),
  );
  const fields = differences.filter(difference => {
    const reason = harmlessReason(difference, ignored);
    if (reason !== undefined) harmless.push({ field: difference.field, reason });
    return reason === undefined;
  });
  if (fields.length === 0) return [];
  const versions = [versionOf(there.stored), shortVersion(there.to), versionOf(back.object)];
  const message = changesText(fields);
  const failureClass = undefined;
  return [
    {
      check: 'round-trip',
      object: nameOfConverted(there.stored),
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
  return [finding('repeated', first, { message: 'a repeated conversion of the same object differs', fields, after })];
}

/** Parts of an answer that the API server drops. */
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
            message: `only labels and annotations may change: changes to ${listed(metadata)} are dropped`,
            fields: metadata,
          }),
        ]),
  ];
}

function listed(fields: readonly FieldDifference[]): string {
  return fields.map(({ field }) => field).join(', ');
}

/** Only the metadata, and only its immutable fields. */
function withoutTexts(object: ValueMap): ValueMap {
  const metadata = [...(mapAt(object, 'metadata') ?? [])].filter(([key]) => key !== 'labels' && key !== 'annotations');
  return new Map<string, Value>([['metadata', new Map(metadata)]]);
}

/** Managed fields and apply convert objects with few fields. */
async function checkPartial(object: ValueMap, versions: readonly string[], conversions: StoredConversions): Promise<ConversionFinding[]> {
  const partial = new Map([...object].filter(([key]) => ['apiVersion', 'kind', 'metadata'].includes(key)));
  const findings: ConversionFinding[] = [];
  for (const to of versions.filter(version => version !== stringAt(object, 'apiVersion'))) {
    const conversion = await conversions.one(partial, to);
    if (conversion.outcome === 'failed')
      findings.push({ ...failure(conversion), check: 'partial', message: `an object with metadata only: ${conversion.message}` });
  }
  return findings;
}

/** All objects in all versions in one request: the answer must keep their number and order. */
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
  // Failed single conversions are already reported.
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
    const message = `the conversion in a list differs from that of the single object: ${listed(fields)}`;
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
  return { check, object: nameOfConverted(stored), versions, message, failureClass: undefined, fields, before, after };
}

function failure({ stored, to, message, failureClass }: Extract<Conversion, { outcome: 'failed' }>): ConversionFinding {
  const versions = [versionOf(stored), shortVersion(to)];
  return {
    check: 'failed',
    object: nameOfConverted(stored),
    versions,
    message,
    failureClass,
    fields: [],
    before: undefined,
    after: undefined,
  };
}

function versionOf(object: ValueMap): string {
  return shortVersion(stringAt(object, 'apiVersion'));
}

/** `Lamp team/w1` */
export function nameOfConverted(object: ValueMap): string {
  const place = [stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')].filter(part => part !== '').join('/');
  return `${stringAt(object, 'kind')} ${place}`.trimEnd();
}

/** A difference after a round trip that is not a finding, and the reason. */
interface HarmlessDifference {
  readonly field: string;
  readonly reason: string;
}

/**
 * Returns why a difference after a round trip is harmless; undefined if it may be a loss. Harmless are ignored fields, the annotation in
 * which conversions by hub and spoke keep what the other version lacks, and zero values of the status, which Go writes without `omitempty`.
 */
export function harmlessReason(difference: FieldDifference, ignored: readonly AnswerPath[]): string | undefined {
  const { field, before, after } = difference;
  if (ignored.some(path => covers(path, difference))) return 'ignored by --ignore-field';
  if (/^metadata\.annotations\["([^"]*\/)?conversion-data"\]$/.test(field)) return 'keeps data that the other version lacks';
  if (!/^status\b/.test(field)) return undefined;
  const [value, missing] = before === null ? [after, before] : [before, after];
  return missing === null && value !== null && isZeroText(value) ? 'only a zero value of the status' : undefined;
}

/** Reports whether a JSON text contains only zero values; false for truncated text. */
function isZeroText(text: string): boolean {
  try {
    return isZero(JSON.parse(text));
  } catch {
    return false;
  }
}

function isZero(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return !value;
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every(isZero);
}
