import { definitionsOf } from '../../../apiserver/call/definitions.js';
import { requestInfoOf } from '../../../apiserver/call/request-info.js';
import { CliError, printLocation } from '../../../client/cli-error.js';
import { writeValue } from '../../../go/json/write.js';
import { listAt, mapAt, stringAt, type ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import type { GroupVersionKind } from '../../../kubernetes/group-version.js';
import { memoize } from '../../../kubernetes/memoize.js';
import type { FoundByRule } from '../../../lint/rule.js';
import { placeInDefinition } from './definition-places.js';

/** Reason why the API server refuses a definition. */
export interface Refusal {
  readonly message: string;
  /** JSON pointer to the invalid field. */
  readonly pointer: string;
}

/**
 * Returns the API server's error for a definition; undefined when it is accepted. Definitions from a cluster were accepted by its version,
 * and are not checked. Memoized: a check takes about a second per megabyte.
 */
export function findDefinitionRefusal(server: ApiServer, definition: ValueMap): Promise<Refusal | undefined> {
  return refusalsBy(server)(definition);
}

const refusalsBy = memoize((server: ApiServer) => memoize((definition: ValueMap) => checkDefinition(server, definition)));

async function checkDefinition(server: ApiServer, definition: ValueMap): Promise<Refusal | undefined> {
  if (isFromCluster(definition)) return undefined;
  const { findCausesOfRefusal } = await import('../refusals/refusals.js');
  // Clients other than kubectl need not ask for strict field validation.
  const refusals = await ignoreUnchecked(findCausesOfRefusal(server, definition, 'Warn'));
  const refusal = refusals.find(({ finding }) => finding.severity === 'error');
  if (refusal === undefined) return undefined;
  return { message: refusal.finding.message, pointer: refusal.place.pointer };
}

/** A definition that cannot be checked may be valid: calls that need it report that they cannot be made. */
async function ignoreUnchecked(looking: Promise<FoundByRule[]>): Promise<FoundByRule[]> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof CliError && error.code === 'not-there-yet') return [];
    throw error;
  }
}

/** Reports whether this is an object from a cluster. Manifests have no generation and only empty lists in their status. */
function isFromCluster(definition: ValueMap): boolean {
  const metadata = mapAt(definition, 'metadata');
  const taken = metadata?.has('generation') === true || metadata?.has('managedFields') === true;
  return taken || ['conditions', 'storedVersions'].some(list => listAt(definition, 'status', list).length > 0);
}

/** Returns the error for a refused definition; `definition` as it was read. */
export function refusedDefinition(definition: ValueMap, { message, pointer }: Refusal): CliError {
  const name = stringAt(definition, 'metadata', 'name');
  return new CliError('invalid-configuration', `the API server refuses the definition ${name}: ${message}`, {
    location: placeInDefinition(definition, pointer),
    suggestions: ['run webhook-cli lint for all errors'],
  });
}

/** Throws CliError for a definition of one of these kinds that the API server refuses. */
export async function refuseDefinitionsOf(kinds: readonly GroupVersionKind[], state: ClusterState): Promise<void> {
  const needed = definitionsOf(state).filter(definition => {
    const [group, kind] = [stringAt(definition, 'spec', 'group'), stringAt(definition, 'spec', 'names', 'kind')];
    return kinds.some(one => one.group === group && one.kind === kind);
  });
  await refuse(state.server, needed);
}

/** Throws CliError when the definition of the resource in a call's path is refused by the API server. */
export async function refuseDefinitionAt(path: string, state: ClusterState): Promise<void> {
  const definitions = definitionsOf(state);
  if (definitions.length === 0) return;
  await refuse(
    state.server,
    definitions.filter(definition => isDefinitionAt(path, definition)),
  );
}

/** Reports whether the definition describes the resource in a call's path. */
export function isDefinitionAt(path: string, definition: ValueMap): boolean {
  const info = requestInfoOf(path);
  return info.type === 'resource' && resourceNameOf(definition) === `${info.resource}.${info.group}`;
}

/** Returns warnings about definitions that no call needs, as far as they are small enough to be checked quickly. */
export async function warnOfDefinitions(state: ClusterState, isNeeded: (definition: ValueMap) => boolean): Promise<string[]> {
  const warnings: string[] = [];
  let left = mostUnneeded;
  for (const definition of definitionsOf(state)) {
    if (isNeeded(definition) || isFromCluster(definition)) continue;
    const size = writeValue(definition, 'kept').length;
    if (size > left) continue;
    left -= size;
    const refusal = await findDefinitionRefusal(state.server, definition);
    if (refusal !== undefined) warnings.push(warningOf(definition, refusal));
  }
  return warnings;
}

/** Max size of definitions that are checked although no call needs them. */
const mostUnneeded = 262_144;

async function refuse(server: ApiServer, needed: readonly ValueMap[]): Promise<void> {
  for (const definition of needed) {
    const refusal = await findDefinitionRefusal(server, definition);
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
