import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { listAt, stringAt, toValue } from '../../../go/value.js';

/** Strategy of service accounts: only the names of secrets are kept. Source: kubernetes pkg/registry/core/serviceaccount/strategy.go. */
export const serviceAccount: Refinement = base => {
  const cleanSecrets = (object: Parameters<typeof base.prepareForCreate>[0]): void => {
    const secrets = listAt(object, 'secrets');
    if (secrets.length > 0)
      object.set(
        'secrets',
        secrets.map(s => toValue({ name: stringAt(s, 'name') })),
      );
  };
  return {
    ...base,
    prepareForCreate: object => cleanSecrets(object),
    prepareForUpdate: object => cleanSecrets(object),
  };
};
