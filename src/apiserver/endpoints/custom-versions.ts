import type { ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { Effects } from '../../kubernetes/effects.js';
import { serverOptions } from '../../kubernetes/server-options.js';
import type { Storage } from '../../kubernetes/storage.js';
import type { ConversionWorld } from '../conversion/converter.js';
import { conversionWebhook } from '../handlers/call-conversion-webhook.js';

/** What the converter of a definition takes from the cluster and from the world outside. */
export interface ConversionPlace {
  readonly storage: Storage;
  readonly effects: Effects;
  readonly flags: ClusterState['flags'];
  /** Has the call taken longer than it may? Absent: it may take any time. */
  readonly isOverdue?: () => boolean;
}

/** How a definition's webhook is reached: through endpoints or cluster IPs, as the API server's flags say. */
export function conversionWorldOf(
  definition: ValueMap,
  { storage, effects, flags, isOverdue = () => false }: ConversionPlace,
): ConversionWorld {
  const usesEndpoints = serverOptions(flags).routesToEndpoints;
  return conversionWebhook(definition, { storage, effects, usesEndpoints, isOverdue });
}
