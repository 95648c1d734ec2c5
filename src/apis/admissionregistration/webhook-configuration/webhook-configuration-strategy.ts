import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { objectMetaErrors } from '../../../apiserver/registry/validation/object-meta.js';
import { staticNameErrors, staticNameWarnings } from '../../../apiserver/registry/validation/static-name.js';
import { stringAt, type ValueMap } from '../../../go/value.js';
import { webhookConfigurationErrors } from './webhook-configuration-validation.js';
import { excludedRuleWarnings } from './webhook-rule.js';

/** MutatingWebhookConfigurations and ValidatingWebhookConfigurations. Source: kubernetes pkg/registry/admissionregistration. */
export const webhookConfiguration: Refinement = base => ({
  ...base,
  validate: (object, context) => [
    ...base.validate(object, context),
    ...webhookConfigurationErrors(object),
    ...staticNameErrors(stringAt(object, 'metadata', 'name')),
  ],
  warningsOnCreate: object => warnings(object, true),
  warningsOnUpdate: object => warnings(object, false),
  validateUpdate: (object, old, context) => [
    ...base.validateUpdate(object, old, context),
    // Metadata is also validated as on create: an invalid label is reported twice.
    ...objectMetaErrors(object, context.resource),
    ...webhookConfigurationErrors(object, old),
  ],
});

function warnings(object: ValueMap, isNew: boolean): string[] {
  return [...staticNameWarnings(stringAt(object, 'metadata', 'name'), isNew), ...excludedRuleWarnings(object)];
}
