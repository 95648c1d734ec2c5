import type { ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { Effects } from '../../kubernetes/effects.js';
import { serverOptions } from '../../kubernetes/server-options.js';
import type { Storage } from '../../kubernetes/storage.js';
import type { ConversionWorld } from '../conversion/converter.js';
import { conversionWebhook } from '../handlers/call-conversion-webhook.js';

/** Cluster state and side effects that a definition's converter uses. */
export interface ConversionPlace {
  readonly storage: Storage;
  readonly effects: Effects;
  readonly flags: ClusterState['flags'];
  /** Reports whether the call has exceeded its deadline; absent: no deadline. */
  readonly isOverdue?: () => boolean;
}

/** Returns the side effects for calling a definition's webhook: through endpoints or cluster IPs, by the API server's flags. */
export function conversionWorldOf(
  definition: ValueMap,
  { storage, effects, flags, isOverdue = () => false }: ConversionPlace,
): ConversionWorld {
  const usesEndpoints = serverOptions(flags).routesToEndpoints;
  return conversionWebhook(definition, { storage, effects, usesEndpoints, isOverdue });
}
