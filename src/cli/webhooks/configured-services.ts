import { listAt, stringAt, type ValueMap } from '../../go/value.js';
import { isConfiguration } from './configurations.js';

/** Returns the services of the webhook configurations among objects, as `NS/NAME`, each once. */
export function configuredServices(objects: readonly ValueMap[]): string[] {
  const services = objects.filter(isConfiguration).flatMap(configuration =>
    listAt(configuration, 'webhooks').flatMap(webhook => {
      const [namespace = '', name = ''] = ['namespace', 'name'].map(key => stringAt(webhook, 'clientConfig', 'service', key));
      return namespace === '' || name === '' ? [] : [`${namespace}/${name}`];
    }),
  );
  return [...new Set(services)];
}
