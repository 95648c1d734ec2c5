import type { KindDefinition } from '../../apiserver/registry/kind-definition.js';
import { webhookConfiguration } from './webhook-configuration/webhook-configuration-strategy.js';

/** MutatingWebhookConfiguration. */
export const mutatingWebhookConfigurationKind: KindDefinition = {
  refine: webhookConfiguration,
  validatedByStrategy: true,
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
  anyFinalizers: true,
};

/** ValidatingWebhookConfiguration. */
export const validatingWebhookConfigurationKind: KindDefinition = {
  refine: webhookConfiguration,
  validatedByStrategy: true,
  allowsUnconditionalUpdate: false,
  hasGeneration: true,
  anyFinalizers: true,
};
