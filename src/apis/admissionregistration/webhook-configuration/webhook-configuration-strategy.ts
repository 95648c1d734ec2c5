import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { objectMetaErrors } from '../../../apiserver/registry/validation/object-meta.js';
import { staticNameWarnings } from '../../../apiserver/registry/validation/static-name.js';
import { stringAt } from '../../../go/value.js';
import { webhookConfigurationErrors } from './webhook-configuration-validation.js';

/** MutatingWebhookConfigurations and ValidatingWebhookConfigurations. Source: kubernetes pkg/registry/admissionregistration. */
export const webhookConfiguration: Refinement = base => ({
  ...base,
  validate: (object, context) => [...base.validate(object, context), ...webhookConfigurationErrors(object)],
  warningsOnCreate: object => staticNameWarnings(stringAt(object, 'metadata', 'name')),
  validateUpdate: (object, old, context) => [
    ...base.validateUpdate(object, old, context),
    // Metadata is also validated as on create: an invalid label is reported twice.
    ...objectMetaErrors(object, context.resource),
    ...webhookConfigurationErrors(object, old),
  ],
});
