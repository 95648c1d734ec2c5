import { stringAt, type ValueMap } from '../../go/value.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import type { CallContext } from '../handlers/call-context.js';
import type { ApiObject } from '../objects/api-object.js';
import { strategyFor } from '../registry/strategy-for.js';
import { inRequestVersion } from './stored-object.js';

const shownObjects = new WeakMap<ValueMap, Map<string, ApiObject>>();

/**
 * Returns a stored object in the URL's version, read-only: live storage never changes its objects, so they are decoded once per version.
 * Conversion webhooks are called each time.
 */
export async function shownObject(stored: ValueMap, context: CallContext): Promise<ApiObject> {
  const asksWebhook = stringAt(context.definition, 'spec', 'conversion', 'strategy') === 'Webhook';
  if (context.state.live === undefined || asksWebhook) return inRequestVersion(stored, context);
  const { resource } = context.endpoint;
  const version = apiVersionOf(resource.kind);
  const known = shownObjects.get(stored)?.get(version);
  if (known !== undefined && (context.definition === undefined || definitionOfShown.get(known) === context.definition)) return known;
  const object = await inRequestVersion(stored, context);
  strategyFor(resource, '', context.definition).decorate?.(object.value);
  const versions = shownObjects.get(stored) ?? new Map<string, ApiObject>();
  versions.set(version, object);
  if (context.definition !== undefined) definitionOfShown.set(object, context.definition);
  shownObjects.set(stored, versions);
  return object;
}

/** The result depends on the definition. */
const definitionOfShown = new WeakMap<ApiObject, ValueMap>();

const texts = new WeakMap<ValueMap, { full?: string; item?: string }>();

/** Returns the cached JSON of a read-only object. Items of built-in lists have no kind. */
export function shownText({ codec, value }: ApiObject, as: 'full' | 'item'): string {
  const known = texts.get(value);
  const text = known?.[as] ?? codec.encode(as === 'full' ? value : withoutType(value));
  texts.set(value, { ...known, [as]: text });
  return text;
}

function withoutType(value: ValueMap): ValueMap {
  return new Map([...value].filter(([key]) => key !== 'kind' && key !== 'apiVersion'));
}
