import { kindOf } from '../../kubernetes/storage.js';
import { copyOf, isMap, listAt, stringAt, type Value, type ValueMap } from '../../kubernetes/value.js';
import { CliError } from '../cli-error.js';
import { nearest } from '../nearest.js';

/** Is this a configuration of webhooks? */
export function isConfiguration(object: ValueMap): boolean {
  const { group, kind } = kindOf(object);
  return group === 'admissionregistration.k8s.io' && (kind === 'MutatingWebhookConfiguration' || kind === 'ValidatingWebhookConfiguration');
}

/** Is this an admission policy, or a binding of one? */
export function isPolicyObject(object: ValueMap): boolean {
  const { group, kind } = kindOf(object);
  return group === 'admissionregistration.k8s.io' && /^(Validating|Mutating)AdmissionPolicy(Binding)?$/.test(kind);
}

/** The objects with only the named webhooks in their configurations. Throws CliError for a name none of them has. */
export function withOnlyWebhooks(objects: readonly ValueMap[], names: readonly string[]): ValueMap[] {
  const known = objects
    .filter(isConfiguration)
    .flatMap(configuration => listAt(configuration, 'webhooks').map(webhook => stringAt(webhook, 'name')));
  const unknown = names.find(name => !known.includes(name));
  if (unknown !== undefined) {
    const meant = nearest(unknown, known);
    throw new CliError('usage', `no configuration has a webhook ${JSON.stringify(unknown)}`, {
      suggestions: [
        meant !== undefined
          ? `did you mean ${meant}?`
          : known.length === 0
            ? 'pass configurations with --state'
            : `there are ${known.join(', ')}`,
      ],
    });
  }
  return objects.map(object => changedWebhooks(object, webhooks => webhooks.filter(webhook => names.includes(stringAt(webhook, 'name')))));
}

/** The objects with this authority in every webhook's clientConfig. */
export function withCaBundle(objects: readonly ValueMap[], pem: string): ValueMap[] {
  const caBundle = Buffer.from(pem).toString('base64');
  return objects.map(object =>
    changedWebhooks(object, webhooks =>
      webhooks.map(webhook => {
        const copy = copyOf(webhook);
        const client = isMap(copy) ? copy.get('clientConfig') : undefined;
        if (isMap(client)) client.set('caBundle', caBundle);
        return copy;
      }),
    ),
  );
}

function changedWebhooks(object: ValueMap, change: (webhooks: Value[]) => Value[]): ValueMap {
  if (!isConfiguration(object)) return object;
  return new Map([...object, ['webhooks', change(listAt(object, 'webhooks'))]]);
}
