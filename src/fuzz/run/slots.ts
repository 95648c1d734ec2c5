import { ownMember } from '../../go/own-members.js';
import { actionsOf } from '../inputs/actions.js';
import type { Action, FuzzedResource } from '../inputs/input.js';
import type { Random } from '../values/random.js';

/** An action on a target, and how often it reached a webhook. */
export interface Slot {
  readonly target: FuzzedResource;
  readonly action: Action;
  made: number;
  reached: number;
}

/** Returns all actions on the targets. */
export function slotsOf(targets: readonly FuzzedResource[]): Slot[] {
  return targets.flatMap(target => actionsOf(target.resource).map(action => ({ target, action, made: 0, reached: 0 })));
}

/** Returns the next action, often a creation; those that never reach a webhook become rare. */
export function nextSlot(slots: readonly Slot[], random: Random): Slot | undefined {
  return random.weighted(slots, ({ made, reached, target, action: { operation, subresource } }) => {
    const share = made >= triesWithoutWebhook && reached === 0 ? 0.001 : subresource !== undefined ? 0.5 : (often[operation] ?? 1);
    return share * weightOf(target);
  });
}

/** Returns how often a target's calls are made, compared with others. */
export function weightOf({ resource }: FuzzedResource): number {
  return resource.custom ? 3 : (ownMember(asked, resource.resource) ?? 1);
}

/** Reports whether the calls of a slot create whole objects. */
export function isCreation({ action }: Slot): boolean {
  return action.operation === 'create' && action.subresource === undefined;
}

const triesWithoutWebhook = 4;
const often: Readonly<Record<string, number>> = { create: 8, update: 2, delete: 0.3, deletecollection: 0.2 };

/** How often webhooks are for a resource, compared with others. */
const asked: Readonly<Record<string, number>> = { pods: 8, deployments: 3, services: 2, ingresses: 2 };
