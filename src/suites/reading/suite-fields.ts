import { argumentOptions, callOptions, inputOptions, podOptions, serverFlagOptions } from '../../client/options/call-options.js';
import { conversionOptions } from '../../client/options/conversion-options.js';
import type { Option } from '../../client/options/option.js';
import { optionMemberOf } from '../../client/options/option-names.js';
import { compareOptions, webhookOptions } from '../../client/options/webhook-options.js';
import { fieldsOf } from './option-fields.js';

const { case: _recordedCases, ...suiteInputOptions } = inputOptions;
const { webhook, ...suiteWebhookOptions } = webhookOptions;

/** Fields of cases that make API calls, and of suites for all their cases. A case may be about some of the suite's webhooks only. */
export const callFields = fieldsOf({
  webhook,
  ...suiteInputOptions,
  ...callOptions,
  ...podOptions,
  ...serverFlagOptions,
  ...argumentOptions,
});

const { state: _state, context: _context, kubeconfig: _kubeconfig, clusterTimeout: _timeout, ...stepInputOptions } = suiteInputOptions;
const { independent: _independent, seed: _seed, now: _now, ...stepCallOptions } = callOptions;

/** Fields of the steps of a case, which share its cluster. */
export const stepFields = fieldsOf({ ...stepInputOptions, ...stepCallOptions, ...argumentOptions });

/** Fields of cases that convert. */
export const conversionFields = fieldsOf(conversionOptions);

/** Fields of suites: which webhooks exist and how to reach them. */
export const webhookFields = fieldsOf(suiteWebhookOptions);

const tables = [callFields, conversionFields, webhookFields, fieldsOf(compareOptions)];

/** Options of suites and of the command line that runs them, by the names of their parsed values. */
export const suiteOptions: ReadonlyMap<string, { readonly name: string; readonly option: Option }> = new Map(
  tables.flatMap(({ byField }) =>
    [...byField].map(([name, { name: own, option }]) => [optionMemberOf(own, option), { name, option }] as const),
  ),
);

/** Returns the paths among the values of options. */
export function pathsOfOptions(options: object): string[] {
  return Object.entries(options).flatMap(([member, value]) => {
    const option = suiteOptions.get(member)?.option;
    return option === undefined || option.shape === 'switch' || !option.isPath || value === undefined ? [] : [value].flat().map(String);
  });
}
