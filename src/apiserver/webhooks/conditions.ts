import type { Attributes } from '../admission/attributes.js';
import type { AdmissionContext } from '../admission/chain.js';
import { NotReproduced } from '../admission/not-reproduced.js';
import type { SkipReason } from '../admission/webhook-report.js';
import type { VersionedObjects } from './invoke.js';
import type { Invocation } from './select.js';

/**
 * Do the webhook's match conditions let it be called? Undefined when they do, else why not; throws the refusal when one
 * errors and the policy is Fail.
 */
export async function conditionsAllow(
  invocation: Invocation,
  _objects: VersionedObjects,
  _attributes: Attributes,
  _context: AdmissionContext,
): Promise<SkipReason | undefined> {
  const { webhook } = invocation;
  if (webhook.matchConditions.length === 0) return undefined;
  throw new NotReproduced(`webhook ${webhook.name} has matchConditions, which are not evaluated yet`);
}
