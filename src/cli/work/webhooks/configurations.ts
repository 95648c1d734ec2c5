import { CliError } from '../../../client/cli-error.js';
import { nearest } from '../../../client/nearest.js';
import { copyOf, isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../../go/value.js';
import { isDefinition } from '../../../kubernetes/definition-resources.js';
import { kindOf } from '../../../kubernetes/storage.js';

/** Reports whether this is a webhook configuration. */
export function isConfiguration(object: ValueMap): boolean {
  const { group, kind } = kindOf(object);
  return group === 'admissionregistration.k8s.io' && (kind === 'MutatingWebhookConfiguration' || kind === 'ValidatingWebhookConfiguration');
}

/** Reports whether an object is an admission policy or a binding of one. */
export function isPolicyObject(object: ValueMap): boolean {
  const { group, kind } = kindOf(object);
  return group === 'admissionregistration.k8s.io' && /^(Validating|Mutating)AdmissionPolicy(Binding)?$/.test(kind);
}

/** Reports whether an object registers an extension API server. */
export function isApiService(object: ValueMap): boolean {
  const { group, kind } = kindOf(object);
  return group === 'apiregistration.k8s.io' && kind === 'APIService';
}

/** Keeps only the named webhooks in configurations. Throws CliError for unknown names. */
export function withOnlyWebhooks(objects: readonly ValueMap[], names: readonly string[]): ValueMap[] {
  const known = objects
    .filter(isConfiguration)
    .flatMap(configuration => listAt(configuration, 'webhooks').map(webhook => stringAt(webhook, 'name')));
  const unknown = names.find(name => !known.includes(name));
  if (unknown !== undefined) {
    const meant = nearest(unknown, known);
    throw new CliError('usage', `unknown webhook ${JSON.stringify(unknown)}`, {
      suggestions: [
        meant !== undefined
          ? `did you mean ${meant}?`
          : known.length === 0
            ? 'pass configurations with --state'
            : `use one of ${known.join(', ')}`,
      ],
    });
  }
  return objects.map(object => changedWebhooks(object, webhooks => webhooks.filter(webhook => names.includes(stringAt(webhook, 'name')))));
}

/** Sets the caBundle of every webhook, also of those for conversions. */
export function withCaBundle(objects: readonly ValueMap[], pem: Uint8Array): ValueMap[] {
  const caBundle = Buffer.from(pem).toString('base64');
  return objects.map(object =>
    changedWebhooks(hasConversionWebhook(object) ? withConversionAuthority(object, pem) : object, webhooks =>
      webhooks.map(webhook => {
        const copy = copyOf(webhook);
        const client = isMap(copy) ? copy.get('clientConfig') : undefined;
        if (isMap(client)) client.set('caBundle', caBundle);
        return copy;
      }),
    ),
  );
}

/** Replaces the caBundle of a definition's webhook. */
export function withConversionAuthority(definition: ValueMap, pem: Uint8Array): ValueMap {
  const copy = copyOf(definition);
  mapAt(copy, 'spec', 'conversion', 'webhook', 'clientConfig')?.set('caBundle', Buffer.from(pem).toString('base64'));
  return copy;
}

/** Reports whether an object is a definition whose objects a webhook converts. */
export function hasConversionWebhook(object: ValueMap): boolean {
  return isDefinition(object) && stringAt(object, 'spec', 'conversion', 'strategy') === 'Webhook';
}

function changedWebhooks(object: ValueMap, change: (webhooks: Value[]) => Value[]): ValueMap {
  if (!isConfiguration(object)) return object;
  return new Map([...object, ['webhooks', change(listAt(object, 'webhooks'))]]);
}
