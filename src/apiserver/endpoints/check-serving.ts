import { decodeUtf8Bytes } from '../../go/utf8.js';
import { stringAt, type ValueMap, valueAt } from '../../go/value.js';
import { memoize } from '../../kubernetes/memoize.js';
import { internalError } from '../../kubernetes/status-errors.js';
import { unusableBundle } from '../webhooks/client-config.js';
import { clientConfigOf } from '../webhooks/webhook.js';

/**
 * Throws the 500 of every call for the resource of a definition that a server cannot serve, because its conversion webhook has no client.
 * Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go getOrCreateServingInfoFor.
 */
export function checkServing(definition: ValueMap): void {
  if (hasUnusableWebhook(definition)) throw internalError('error resolving resource');
}

const hasUnusableWebhook = memoize((definition: ValueMap): boolean => {
  if (stringAt(definition, 'spec', 'conversion', 'strategy') !== 'Webhook') return false;
  const { caBundle } = clientConfigOf(valueAt(definition, 'spec', 'conversion', 'webhook', 'clientConfig'));
  return unusableBundle(withoutWhiteSpace(caBundle)) !== undefined;
});

/** Returns the bundle of a conversion webhook; one of only white space counts as absent. */
export function withoutWhiteSpace(caBundle: Uint8Array): Uint8Array | undefined {
  return decodeUtf8Bytes(caBundle).trim() === '' ? undefined : caBundle;
}
