import { labelSelectorErrors } from '../../../apiserver/registry/label-selector.js';
import { fullyQualifiedNameErrors } from '../../../apiserver/registry/validation/fully-qualified-name.js';
import { matchConditionErrors } from '../../../apiserver/registry/validation/match-conditions.js';
import { notOneOf } from '../../../apiserver/registry/validation/one-of.js';
import { compiledCondition } from '../../../cel/compiled-condition.js';
import { writeValue } from '../../../go/json/write.js';
import { listAt, stringAt, type Value, type ValueMap, valueAt } from '../../../go/value.js';
import { trimSpace } from '../../../go/white-space.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { duplicate, type FieldError, invalidValue, required } from '../../../kubernetes/field-error.js';
import { dns1035LabelProblems, labelValueProblems } from '../../../kubernetes/name-rules.js';
import { clientConfigErrors } from './webhook-client-config.js';
import { webhookRuleErrors } from './webhook-rule.js';

/**
 * Validates the webhooks of a configuration, except its metadata. An update tolerates existing problems. Source: kubernetes
 * pkg/apis/admissionregistration/validation/validation.go.
 */
export function webhookConfigurationErrors(server: ApiServer, configuration: ValueMap, old?: ValueMap): FieldError[] {
  const options = optionsFor(server, configuration, old);
  const names = new Set<string>();
  return listAt(configuration, 'webhooks').flatMap((webhook, i) => {
    const field = `webhooks[${i}]`;
    const name = stringAt(webhook, 'name');
    const isAgain = options.requiresUniqueNames && name !== '' && names.has(name);
    names.add(name);
    return [
      ...webhookErrors(server, webhook, field, options),
      ...reviewVersionErrors(listAt(webhook, 'admissionReviewVersions').map(String), `${field}.admissionReviewVersions`, options),
      ...(isAgain ? [duplicate(`${field}.name`, name)] : []),
    ];
  });
}

interface Options {
  readonly checksConditions: boolean;
  readonly sideEffects: readonly string[];
  readonly requiresKnownVersion: boolean;
  readonly requiresUniqueNames: boolean;
  readonly allowsInvalidValues: boolean;
  /** Expressions of the old configuration: they compile as stored ones. */
  readonly storedExpressions: ReadonlySet<string>;
}

const noSideEffects = ['None', 'NoneOnDryRun'];
const anySideEffects = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const reviewVersions = ['v1', 'v1beta1'];

function optionsFor(server: ApiServer, configuration: ValueMap, old: ValueMap | undefined): Options {
  const webhooks = listAt(old, 'webhooks');
  const names = webhooks.map(webhook => stringAt(webhook, 'name'));
  return {
    checksConditions: old === undefined || !sameConditions(listAt(configuration, 'webhooks'), webhooks),
    sideEffects: webhooks.every(webhook => noSideEffects.includes(stringAt(webhook, 'sideEffects'))) ? noSideEffects : anySideEffects,
    requiresKnownVersion: webhooks.every(webhook => listAt(webhook, 'admissionReviewVersions').some(isReviewVersion)),
    storedExpressions: new Set(
      webhooks.flatMap(webhook => listAt(webhook, 'matchConditions').map(condition => trimSpace(stringAt(condition, 'expression')))),
    ),
    requiresUniqueNames: new Set(names).size === names.length,
    allowsInvalidValues: webhooks.some(webhook =>
      ['namespaceSelector', 'objectSelector'].some(key => hasInvalidValue(server, valueAt(webhook, key))),
    ),
  };
}

/** Reports whether both have the same number of webhooks with equal conditions. */
function sameConditions(webhooks: readonly Value[], old: readonly Value[]): boolean {
  const conditionsOf = (webhook: Value | undefined): string =>
    JSON.stringify(listAt(webhook, 'matchConditions').map(c => [stringAt(c, 'name'), stringAt(c, 'expression')]));
  return webhooks.length === old.length && webhooks.every((webhook, i) => conditionsOf(webhook) === conditionsOf(old[i]));
}

function isReviewVersion(version: Value): boolean {
  return typeof version === 'string' && reviewVersions.includes(version);
}

function hasInvalidValue(server: ApiServer, selector: Value | undefined): boolean {
  const values = listAt(selector, 'matchExpressions').flatMap(expression => listAt(expression, 'values'));
  return values.some(value => labelValueProblems(server, String(value)).length > 0);
}

function webhookErrors(server: ApiServer, webhook: Value, field: string, options: Options): FieldError[] {
  const leeway = { allowsInvalidValues: options.allowsInvalidValues };
  return [
    ...fullyQualifiedNameErrors(`${field}.name`, stringAt(webhook, 'name')),
    ...listAt(webhook, 'rules').flatMap((rule, i) => webhookRuleErrors(rule, `${field}.rules[${i}]`)),
    ...notOneOf(['Fail', 'Ignore'], valueAt(webhook, 'failurePolicy'), `${field}.failurePolicy`),
    ...notOneOf(['Equivalent', 'Exact'], valueAt(webhook, 'matchPolicy'), `${field}.matchPolicy`),
    ...sideEffectsErrors(valueAt(webhook, 'sideEffects'), `${field}.sideEffects`, options),
    ...timeoutErrors(valueAt(webhook, 'timeoutSeconds'), `${field}.timeoutSeconds`),
    ...labelSelectorErrors(server, valueAt(webhook, 'namespaceSelector'), `${field}.namespaceSelector`, leeway),
    ...labelSelectorErrors(server, valueAt(webhook, 'objectSelector'), `${field}.objectSelector`, leeway),
    ...notOneOf(['IfNeeded', 'Never'], valueAt(webhook, 'reinvocationPolicy'), `${field}.reinvocationPolicy`),
    ...clientConfigErrors(valueAt(webhook, 'clientConfig'), `${field}.clientConfig`),
    ...(options.checksConditions
      ? matchConditionErrors(server, listAt(webhook, 'matchConditions'), `${field}.matchConditions`, expression =>
          compiledCondition(server, expression, options.storedExpressions.has(expression) ? 'stored' : 'new'),
        )
      : []),
  ];
}

function sideEffectsErrors(sideEffects: Value | undefined, field: string, options: Options): FieldError[] {
  return sideEffects === undefined
    ? [required(field, `must specify one of ${options.sideEffects.join(', ')}`)]
    : notOneOf(options.sideEffects, sideEffects, field);
}

function timeoutErrors(timeout: Value | undefined, field: string): FieldError[] {
  return typeof timeout !== 'bigint' || (timeout >= 1n && timeout <= 30n)
    ? []
    : [invalidValue(field, timeout, 'the timeout value must be between 1 and 30 seconds')];
}

/** Source: validateAdmissionReviewVersions. */
function reviewVersionErrors(versions: readonly string[], field: string, { requiresKnownVersion }: Options): FieldError[] {
  const accepted = reviewVersions.join(', ');
  if (versions.length === 0) return [required(field, `must specify one of ${accepted}`)];
  const errors = versions.flatMap((version, i) =>
    versions.indexOf(version) < i
      ? [invalidValue(`${field}[${i}]`, version, 'duplicate version')]
      : dns1035LabelProblems(version).map(problem => invalidValue(`${field}[${i}]`, version, problem)),
  );
  if (requiresKnownVersion && !versions.some(isReviewVersion))
    errors.push(invalidValue(field, { rawJson: writeValue([...versions], 'kept') }, `must include at least one of ${accepted}`));
  return errors;
}
