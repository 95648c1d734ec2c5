import { countGeneration } from '../../../apiserver/registry/generic/common-strategy.js';
import { objectMetaErrors, objectMetaUpdateErrors } from '../../../apiserver/registry/object-meta.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { staticNameErrors, staticNameWarnings } from '../../../apiserver/registry/validation/static-name.js';
import { sameValue, stringAt, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { webhookConfigurationErrors } from './webhook-configuration-validation.js';
import { excludedRuleWarnings } from './webhook-rule.js';

/** MutatingWebhookConfigurations and ValidatingWebhookConfigurations. Source: kubernetes pkg/registry/admissionregistration. */
export const webhookConfiguration: Refinement = base => ({
  ...base,
  validate: (object, context) => [
    ...base.validate(object, context),
    ...webhookConfigurationErrors(context.server, object),
    ...staticNameErrors(context.server, stringAt(object, 'metadata', 'name')),
  ],
  // Every difference raises the generation, also between an empty and an absent list, map or caBundle, as reflect.DeepEqual finds it.
  prepareForUpdate: (object, old) => {
    if (!sameValue(object.get('webhooks') ?? null, old.get('webhooks') ?? null)) countGeneration(object, old);
  },
  warningsOnCreate: (object, context) => warnings(context.server, object, true),
  warningsOnUpdate: (object, _old, context) => warnings(context.server, object, false),
  validateUpdate: (object, old, context) => [
    ...objectMetaUpdateErrors(context.server, object, old, context.resource),
    // Metadata is also validated as on create, and not as a change.
    ...objectMetaErrors(context.server, object, context.resource),
    ...webhookConfigurationErrors(context.server, object, old),
  ],
});

function warnings(server: ApiServer, object: ValueMap, isNew: boolean): string[] {
  return [...staticNameWarnings(server, stringAt(object, 'metadata', 'name'), isNew), ...excludedRuleWarnings(server, object)];
}
