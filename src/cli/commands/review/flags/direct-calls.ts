import type { CallPlan } from '../../../../client/calls/plan.js';
import type { OptionTable } from '../../../../client/options/option.js';
import { optionMemberOf } from '../../../../client/options/option-names.js';
import { connectionOptions } from '../../../../client/options/webhook-options.js';
import { showsBodies } from './rendering.js';
import type { RenderingFlags, ReviewFlags } from './review-flags.js';

type CalledFlags = RenderingFlags & Pick<ReviewFlags, 'demo' | 'operation' | 'call' | 'compare' | 'urls' | 'service'>;

/**
 * Reports whether the embedded webhook may be called without a connection: nothing of one is printed, no flag says how to make one, and no call meets the
 * configuration with its address.
 */
export function callsDirectly(flags: CalledFlags, plans: readonly CallPlan[]): boolean {
  if (flags.demo !== true || showsBodies(flags) || connectsInOtherWays(flags)) return false;
  const onlyCreates = (flags.operation ?? 'create') === 'create' && flags.call === undefined;
  return onlyCreates && plans.every(plan => plan.createsWebhooks !== true);
}

function connectsInOtherWays(flags: CalledFlags): boolean {
  if (flags.compare !== undefined || flags.urls !== undefined || flags.service !== undefined) return true;
  const given = new Map(Object.entries(flags));
  const options: OptionTable = connectionOptions;
  return Object.entries(options).some(([name, option]) => {
    const value = given.get(optionMemberOf(name, option));
    return value !== undefined && value !== false;
  });
}
