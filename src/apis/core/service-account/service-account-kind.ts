import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { listAt, stringAt, toValue } from '../../../go/value.js';

/** Strategy of service accounts: only the names of secrets are kept. Source: kubernetes pkg/registry/core/serviceaccount/strategy.go. */
const serviceAccount: Refinement = base => {
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

/** Validation of service accounts, which only covers metadata. Source: kubernetes pkg/registry/core/serviceaccount/strategy.go. */
const serviceAccountRules: KindRules = {
  create: () => undefined,
  update: ['changes', 'metadata'],
  warnings: (account, old) => {
    const key = 'kubernetes.io/enforce-mountable-secrets';
    const has = (field: FieldPath): boolean => field.child('metadata', 'annotations', key).isSet();
    return has(account) && (old === undefined || !has(old))
      ? [`metadata.annotations[${key}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`]
      : [];
  },
};

/** ServiceAccount. */
export const serviceAccountKind: KindDefinition = {
  refine: serviceAccount,
  validation: serviceAccountRules,
  deletion: { returnsObject: true },
};
