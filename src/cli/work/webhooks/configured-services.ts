import { listAt, stringAt, type Value, type ValueMap, valueAt } from '../../../go/value.js';
import { hasConversionWebhook, isConfiguration } from './configurations.js';

/** Returns the services of the webhook configurations among objects, as `NS/NAME`, each once. */
export function configuredServices(objects: readonly ValueMap[]): string[] {
  return servicesOf(objects.filter(isConfiguration).flatMap(configuration => listAt(configuration, 'webhooks')));
}

/** Returns the services of the conversion webhooks of the definitions among objects, as `NS/NAME`, each once. */
export function conversionServices(objects: readonly ValueMap[]): string[] {
  return servicesOf(objects.filter(hasConversionWebhook).map(definition => valueAt(definition, 'spec', 'conversion', 'webhook')));
}

function servicesOf(webhooks: readonly (Value | undefined)[]): string[] {
  const services = webhooks.flatMap(webhook => {
    const [namespace = '', name = ''] = ['namespace', 'name'].map(key => stringAt(webhook, 'clientConfig', 'service', key));
    return namespace === '' || name === '' ? [] : [`${namespace}/${name}`];
  });
  return [...new Set(services)];
}
