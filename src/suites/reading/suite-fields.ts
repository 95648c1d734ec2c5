import { argumentOptions, callOptions, inputOptions, serverOptions } from '../../client/options/call-options.js';
import { conversionOptions } from '../../client/options/conversion-options.js';
import type { OptionTable } from '../../client/options/option.js';
import { webhookOptions } from '../../client/options/webhook-options.js';

const { case: _recordedCases, ...suiteInputOptions } = inputOptions;
const { webhook, ...suiteWebhookOptions } = webhookOptions;

/** Option for pods of workloads, which only commands that make reviews have. */
const createdPods = {
  'created-pods': {
    takes: 'switch',
    group: callOptions.operation.group,
    description: 'instead of a workload, create the pods that its controller would create',
  },
} as const satisfies OptionTable;

/** Fields of cases that make API calls, and of suites for all their cases. A case may be about some of the suite's webhooks only. */
export const callFields: OptionTable = {
  webhook,
  ...suiteInputOptions,
  ...callOptions,
  ...createdPods,
  ...serverOptions,
  ...argumentOptions,
};

/** Fields of cases that convert. */
export const conversionFields: OptionTable = conversionOptions;

/** Fields of suites: which webhooks exist and how to reach them. */
export const webhookFields: OptionTable = suiteWebhookOptions;
