import { stringAt, type ValueMap } from '../../../kubernetes/value.js';
import type { Refinement } from '../strategy.js';
import { objectMetaErrors } from '../validation/object-meta.js';
import { webhookConfigurationErrors } from '../validation/webhook-configuration.js';

/** MutatingWebhookConfigurations and ValidatingWebhookConfigurations. Source: kubernetes pkg/registry/admissionregistration. */
export const webhookConfiguration: Refinement = base => ({
  ...base,
  validate: (object, context) => [...base.validate(object, context), ...webhookConfigurationErrors(object)],
  warningsOnCreate: staticNameWarnings,
  validateUpdate: (object, old, context) => [
    ...base.validateUpdate(object, old, context),
    // Metadata is looked at as on create, too: a wrong label is reported twice.
    ...objectMetaErrors(object, context.resource),
    ...webhookConfigurationErrors(object, old),
  ],
});

const staticSuffix = '.static.k8s.io';

function staticNameWarnings(object: ValueMap): string[] {
  if (!stringAt(object, 'metadata', 'name').endsWith(staticSuffix)) return [];
  const words = 'are reserved for static manifest-based configurations and cannot be managed via the API';
  return [`metadata.name: names ending with "${staticSuffix}" ${words}`];
}
