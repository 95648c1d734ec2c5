import { type ApiServer, apiServersOf } from '../kubernetes/api-server.js';

/**
 * The Go types that a webhook is compiled with: those of the default minor. It is no API server, so they have neither defaults nor
 * conversions.
 */
export const goTypes: ApiServer = apiServersOf({
  scheme: { defaultRule: () => undefined, conversionRule: () => undefined, internalPackage: group => group },
  storageFactory: { prefixOf: ({ resource }) => resource, isStoredAsJson: () => true },
  gateOfResource: () => undefined,
  kindNamed: () => undefined,
  restStorageNamed: () => undefined,
  partStorageNamed: () => undefined,
  plugins: () => [],
  defaultRoles: () => [],
  otherForms: () => Promise.reject(new Error('a webhook answers no API calls')),
})();
