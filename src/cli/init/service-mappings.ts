import { stringAt } from '../../go/value.js';
import type { FoundObjects } from './found-objects.js';

/** Port of the examples of `certs create` and `serve`. */
const defaultPort = '8443';

export interface ServiceMapping {
  /** `NS/NAME` */
  readonly service: string;
  readonly url: string;
}

/** Returns the services of the configurations, with the address where they are reached on this machine. */
export function serviceMappings({ webhooks }: FoundObjects, port = defaultPort): ServiceMapping[] {
  const services = webhooks.flatMap(({ webhook }) => {
    const [namespace, name] = ['namespace', 'name'].map(key => stringAt(webhook, 'clientConfig', 'service', key));
    return namespace === '' || name === '' ? [] : [`${namespace}/${name}`];
  });
  return [...new Set(services)].map(service => ({ service, url: `https://127.0.0.1:${port}` }));
}
