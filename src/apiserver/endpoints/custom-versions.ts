import type { ValueMap } from '../../go/value.js';
import type { Effects } from '../../kubernetes/effects.js';
import type { ApiServerOptions } from '../../kubernetes/server-options.js';
import type { Storage } from '../../kubernetes/storage.js';
import type { ConversionWorld } from '../conversion/converter.js';
import { conversionWebhook } from './call-conversion-webhook.js';

/** Cluster state and side effects that a definition's converter uses. */
export interface ConversionPlace {
  readonly storage: Storage;
  readonly effects: Effects;
  readonly options: ApiServerOptions;
  /** Reports whether the call has exceeded its deadline; absent: no deadline. */
  readonly isOverdue?: () => boolean;
}

/** Returns the side effects for calling a definition's webhook: through endpoints or cluster IPs, by the API server's flags. */
export function conversionWorldOf(
  definition: ValueMap,
  { storage, effects, options, isOverdue = () => false }: ConversionPlace,
): ConversionWorld {
  return conversionWebhook(definition, { storage, effects, usesEndpoints: options.routesToEndpoints, isOverdue });
}
