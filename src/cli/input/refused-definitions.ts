import { definitionsOf } from '../../apiserver/endpoints/definitions.js';
import { requestInfoOf } from '../../apiserver/endpoints/request-info.js';
import { writeValue } from '../../go/json/write.js';
import { listAt, mapAt, stringAt, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { Found } from '../../lint/rule.js';
import { CliError, printLocation } from '../cli-error.js';
import { placeInDefinition } from './definition-places.js';

/** Why no API server would take a definition. */
export interface Refusal {
  readonly message: string;
  /** A JSON pointer to the field that is wrong. */
  readonly pointer: string;
}

/**
 * What the API server says against a definition when it is posted; undefined: it takes it. What comes out of a cluster has been taken by one, by
 * the rules of its day, and is not looked at. Every definition is looked at once: that takes about a second for a megabyte.
 */
export const refusalOf: (definition: ValueMap) => Promise<Refusal | undefined> = memoize(async (definition: ValueMap) => {
  if (isFromCluster(definition)) return undefined;
  const { refusalsOf } = await import('../lint/refusals.js');
  // Who brings it into a cluster need not ask for strict fields.
  const refusals = await orUnknown(refusalsOf(definition, 'Warn'));
  const refusal = refusals.find(({ finding }) => finding.severity === 'error');
  if (refusal === undefined) return undefined;
  return { message: refusal.finding.message, pointer: refusal.place.pointer };
});

/** A definition that cannot be looked at may be fine: a call that needs it says itself that it cannot be made. */
async function orUnknown(looking: Promise<Found[]>): Promise<Found[]> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof CliError && error.code === 'not-there-yet') return [];
    throw error;
  }
}

/** Manifests have neither a generation nor anything but empty lists in their status, whatever a tool has written for them. */
function isFromCluster(definition: ValueMap): boolean {
  const metadata = mapAt(definition, 'metadata');
  const taken = metadata?.has('generation') === true || metadata?.has('managedFields') === true;
  return taken || ['conditions', 'storedVersions'].some(list => listAt(definition, 'status', list).length > 0);
}

/** The mistake that a definition is which is needed and would not be there; `definition` as it was read. */
export function refusedDefinition(definition: ValueMap, { message, pointer }: Refusal): CliError {
  const name = stringAt(definition, 'metadata', 'name');
  return new CliError('invalid-configuration', `the API server refuses the definition ${name}: ${message}`, {
    location: placeInDefinition(definition, pointer),
    suggestions: ['look at all that is wrong with it: webhook-cli lint'],
  });
}

/** Throws CliError for a definition of one of these kinds that no API server would take: a cluster would not know the kind. */
export async function refuseDefinitionsOf(kinds: readonly GroupVersionKind[], state: ClusterState): Promise<void> {
  const needed = definitionsOf(state).filter(definition => {
    const [group, kind] = [stringAt(definition, 'spec', 'group'), stringAt(definition, 'spec', 'names', 'kind')];
    return kinds.some(one => one.group === group && one.kind === kind);
  });
  await refuse(needed);
}

/**
 * Throws CliError where a call is about a resource whose definition no API server would take. Answers warnings about definitions that no call
 * needs, as far as looking at them takes no time to speak of.
 */
export async function checkDefinitions(paths: readonly string[], state: ClusterState): Promise<string[]> {
  const definitions = definitionsOf(state);
  if (definitions.length === 0) return [];
  const called = paths.map(requestInfoOf).flatMap(info => (info.type === 'resource' ? [`${info.resource}.${info.group}`] : []));
  const needed = definitions.filter(definition => called.includes(resourceNameOf(definition)));
  await refuse(needed);
  const warnings: string[] = [];
  let left = mostUnneeded;
  for (const definition of definitions.filter(one => !needed.includes(one) && !isFromCluster(one))) {
    const size = writeValue(definition, 'kept').length;
    if (size > left) continue;
    left -= size;
    const refusal = await refusalOf(definition);
    if (refusal !== undefined) warnings.push(warningOf(definition, refusal));
  }
  return warnings;
}

/** Characters of definitions that are looked at although no call needs them. */
const mostUnneeded = 262_144;

async function refuse(needed: readonly ValueMap[]): Promise<void> {
  for (const definition of needed) {
    const refusal = await refusalOf(definition);
    if (refusal !== undefined) throw refusedDefinition(definition, refusal);
  }
}

/** `lamps.example.com` */
function resourceNameOf(definition: ValueMap): string {
  return `${stringAt(definition, 'spec', 'names', 'plural')}.${stringAt(definition, 'spec', 'group')}`;
}

function warningOf(definition: ValueMap, refusal: Refusal): string {
  const { message, location } = refusedDefinition(definition, refusal);
  return `${location === undefined ? '' : `${printLocation(location)}: `}${message}`;
}
