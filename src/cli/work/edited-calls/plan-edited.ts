import { servedBy } from '../../../apiserver/call/served-resources.js';
import { isAuditEvent } from '../../../captures/captured-kind.js';
import { type CallPlan, flagsFor } from '../../../client/calls/plan.js';
import { CliError } from '../../../client/cli-error.js';
import { asStored } from '../../../client/manifests/cluster-state.js';
import { entriesIn, type LocatedManifest } from '../../../client/manifests/manifests.js';
import type { PodOptions } from '../../../client/options/call-options.js';
import { readAsNeeded } from '../../../client/run/read-as-needed.js';
import { copyOf, stringAt } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import { kindOf, storageOf } from '../../../kubernetes/storage.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { isCaptured } from '../calls/captured-review.js';
import { type PlanningFlags, planEntries } from '../calls/plan-calls.js';
import type { Answered } from '../calls/rendered-results.js';
import { type EditablePart, stateBefore } from './editable-part.js';
import type { EditedCall } from './edited-call.js';
import { withOriginalSecrets } from './original-secrets.js';

/** A call that was made, and what can be edited of it. */
export interface EditedFrom {
  readonly answered: Answered;
  readonly part: EditablePart;
}

/** The plan of an edited call, the flags to make it with, and what can be edited of it. */
export interface PlannedEdit<Flags> {
  readonly plan: CallPlan;
  readonly flags: Flags;
  readonly part: EditablePart;
}

/** Name of the manifest in messages. */
const source = 'edited object';

/**
 * Plans an edited call with the flags of the command, in what existed before the call that was edited: how webhooks are reached is not part of it. What an update, a patch or a deletion needs
 * is the object as it was sent before, if nothing is stored. Throws CliError for an object that cannot be used.
 */
export async function planEdited<Flags extends PlanningFlags & PodOptions>(
  edited: EditedCall,
  { answered, part }: EditedFrom,
  { flags: given, surroundings }: { readonly flags: Flags; readonly surroundings: Surroundings },
): Promise<PlannedEdit<Flags>> {
  const { operation, patch, user, groups } = edited;
  const isSameUser = user === given.as;
  const flags: Flags = {
    ...flagsFor(operation, given),
    ...{ filename: undefined, call: undefined, old: undefined, patchFile: undefined, createdPods: undefined, independent: true },
    patch: operation === 'patch' ? patch : undefined,
    as: user === '' ? undefined : user,
    asGroup: groups.length === 0 ? undefined : groups,
    ...(isSameUser ? {} : { asUid: undefined, asUserExtra: undefined }),
  };
  const { entry, warnings } = onlyEntry(edited.object);
  const object = withOriginalSecrets(entry.object, part.object);
  const own: EditablePart = { operation, object: copyOf(object), patch: flags.patch, user, groups };
  const before = stateBefore(answered);
  const state = await readAsNeeded(before.source, () => withOriginal(before, { operation, part, surroundings }));
  const plan = await planEntries(state, { entries: [{ ...entry, object }], warnings }, { flags, surroundings });
  return { plan, flags, part: own };
}

/** Returns the manifest of a text. Throws CliError for anything but one object; reviews are not made of manifests. */
function onlyEntry(text: string): { readonly entry: LocatedManifest; readonly warnings: readonly string[] } {
  const { entries, warnings } = entriesIn({ source, bytes: Buffer.from(text) });
  const [entry, another] = entries;
  if (entry instanceof CliError) throw entry;
  const refuse = (message: string): CliError => new CliError('invalid-manifest', message, { location: { file: source } });
  if (entry === undefined || another !== undefined) throw refuse(`expected one object, found ${entries.length}`);
  if (isCaptured(entry.object) || isAuditEvent(entry.object)) throw refuse('expected a manifest, found what a log or a proxy recorded');
  return { entry, warnings };
}

interface Storing {
  readonly operation: EditedCall['operation'];
  readonly part: EditablePart;
  readonly surroundings: Surroundings;
}

/** Adds the object as it was sent before, if an operation needs a stored one and there is none. */
function withOriginal(state: ClusterState, { operation, part, surroundings }: Storing): ClusterState {
  if (operation === 'create' || operation === 'apply') return state;
  const [object] = asStored([copyOf(part.object)], { served: servedBy(state), namespace: 'default' }, surroundings);
  if (object === undefined || isStored(object, state)) return state;
  return { ...state, objects: [object, ...state.objects] };
}

function isStored(object: EditablePart['object'], state: ClusterState): boolean {
  const [namespace, name] = [stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')];
  return storageOf(state).find(kindOf(object), namespace, name) !== undefined;
}
