import { ensureMap, listAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import { conflict } from '../../kubernetes/status-errors.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import type { ApiObject } from '../objects/api-object.js';
import { deletionRulesOf } from '../registry/kind-definition.js';
import { kindInErrors } from '../registry/kind-in-errors.js';
import type { StoreContext } from './store-context.js';

/** Course of a deletion: at once, after a grace period, or not at all because an earlier one is in progress. */
export type Grace = 'immediate' | 'graceful' | 'pending';

/** Reports whether the options of a deletion ask for a dry run. */
export function isDryRunOf(options: ApiObject): boolean {
  return listAt(options.value, 'dryRun').length > 0;
}

/** Checks preconditions of a deletion; throws a 409. Source: apiserver registry/rest/delete.go BeforeDelete. */
export function checkPreconditions(options: ApiObject, old: ApiObject, { endpoint, server }: StoreContext): void {
  const fields = [
    ['uid', 'UID', 'deleted and then recreated'],
    ['resourceVersion', 'ResourceVersion', 'modified'],
  ] as const;
  for (const [field, title, happened] of fields) {
    const wanted = valueAt(options.value, 'preconditions', field);
    const stored = stringAt(old.value, 'metadata', field);
    if (typeof wanted !== 'string' || wanted === stored) continue;
    const why = `the ${title} in the precondition (${wanted}) does not match the ${title} in record (${stored}). The object might have been ${happened}`;
    const { group, kind } = kindInErrors(server, old, endpoint.resource);
    throw conflict({ group, resource: kind }, stringAt(old.value, 'metadata', 'name'), why);
  }
}

/** Marks an object that is deleted gracefully, and sets the grace period of the options. Source: apiserver registry/rest/delete.go BeforeDelete. */
export function beforeDelete(object: ValueMap, options: ValueMap, context: StoreContext): Grace {
  const { gracePeriod } = deletionRulesOf(context.server, context.endpoint.resource);
  const asked = atLeastOne(options, 'gracePeriodSeconds');
  const metadata = ensureMap(object, 'metadata');
  const current = atLeastOne(metadata, 'deletionGracePeriodSeconds');
  if (gracePeriod === undefined) return 'immediate';
  if (metadata.get('deletionTimestamp') !== undefined) {
    if (current === undefined || current === 0n) return 'immediate';
    if (asked === undefined || asked >= current) return 'pending';
    shorten(metadata, { asked, current }, context);
    return 'graceful';
  }
  const grace = gracePeriod(object, asked);
  options.set('gracePeriodSeconds', grace);
  metadata.set('deletionTimestamp', timestampOf(new Date(context.effects.now().getTime() + millisecondsOf(grace))));
  metadata.set('deletionGracePeriodSeconds', grace);
  raiseGeneration(metadata);
  return 'graceful';
}

/**
 * Marks an object that remains until its finalizers are removed. A second deletion keeps the first mark. Source: store.go markAsDeleting.
 */
export function markAsDeleting(object: ValueMap, { effects }: StoreContext): void {
  const metadata = ensureMap(object, 'metadata');
  const earlier = stringAt(metadata, 'deletionTimestamp');
  if (earlier === '') raiseGeneration(metadata);
  if (earlier === '' || Date.parse(earlier) > effects.now().getTime()) metadata.set('deletionTimestamp', timestampOf(effects.now()));
  metadata.set('deletionGracePeriodSeconds', 0n);
}

/** Go counts a duration in 64 bits of nanoseconds, which a period of more than 292 years overflows. */
function millisecondsOf(seconds: bigint): number {
  return Number(BigInt.asIntN(64, seconds * 1_000_000_000n) / 1_000_000n);
}

/** Returns a period in seconds, 1 for a negative one. */
function atLeastOne(holder: ValueMap, field: string): bigint | undefined {
  const seconds = holder.get(field);
  if (typeof seconds !== 'bigint') return undefined;
  if (seconds >= 0n) return seconds;
  holder.set(field, 1n);
  return 1n;
}

/** Increments the generation, because the first mark counts as a change. */
function raiseGeneration(metadata: ValueMap): void {
  const generation = metadata.get('generation');
  if (typeof generation === 'bigint' && generation > 0n) metadata.set('generation', BigInt.asIntN(64, generation + 1n));
}

/** Shortens the deadline to the requested period, counted from the first mark; never into the past. */
function shorten(
  metadata: ValueMap,
  { asked, current }: { readonly asked: bigint; readonly current: bigint },
  { effects }: StoreContext,
): void {
  const now = effects.now().getTime();
  const end = Date.parse(stringAt(metadata, 'deletionTimestamp')) + millisecondsOf(-current) + millisecondsOf(asked);
  metadata.set('deletionTimestamp', timestampOf(new Date(Math.max(end, now))));
  metadata.set('deletionGracePeriodSeconds', end < now && asked !== 0n ? 1n : asked);
}
