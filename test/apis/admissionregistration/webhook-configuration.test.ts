import { describe, expect, it } from 'vitest';
import { webhookConfigurationErrors } from '../../../src/apis/admissionregistration/webhook-configuration/webhook-configuration-validation.js';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import { printFieldError } from '../../../src/kubernetes/field-error.js';
import { server } from '../../support/server.js';

const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const valid = {
  name: 'w.example.com',
  clientConfig: { url: 'https://w.example.com/' },
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  rules: [rule],
};

function configuration(...webhooks: Record<string, unknown>[]): ValueMap {
  return toValue({ metadata: { name: 'c' }, webhooks: webhooks.map(parts => ({ ...valid, ...parts })) }) as ValueMap;
}

function errorsOf(parts: Record<string, unknown>): string[] {
  return webhookConfigurationErrors(server, configuration(parts)).map(error => printFieldError(error).replace('webhooks[0].', ''));
}

describe('a webhook configuration', () => {
  it('accepts the required value', () => {
    expect(errorsOf({})).toEqual([]);
  });

  it.each([
    [{ name: 'a.b' }, 'name: Invalid value: "a.b": should be a domain with at least three segments separated by dots'],
    [{ sideEffects: 'Some' }, 'sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
    [{ failurePolicy: '<' }, 'failurePolicy: Unsupported value: "\\u003c": supported values: "Fail", "Ignore"'],
    [{ timeoutSeconds: 31 }, 'timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds'],
    [{ admissionReviewVersions: ['v2'] }, 'admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1'],
    [{ clientConfig: {} }, 'clientConfig: Required value: exactly one of url or service is required'],
    [
      { rules: [{ ...rule, resources: ['*/*', 'pods/*'] }] },
      'rules[0].resources[1]: Invalid value: "pods/*": if \'*/*\' is present, must not specify pods/*',
      'rules[0].resources: Invalid value: ["*/*","pods/*"]: if \'*/*\' is present, must not specify other resources',
    ],
    [
      { rules: [{ ...rule, resources: ['*', 'pods'] }] },
      'rules[0].resources: Invalid value: ["*","pods"]: if \'*\' is present, must not specify other resources without subresources',
    ],
    [
      { clientConfig: { service: { namespace: 'a', port: 443 } } },
      // The API server has the two names swapped.
      'clientConfig.service.namespace: Required value',
    ],
    [
      { matchConditions: [{ name: 'a', expression: '6' }] },
      'matchConditions[0].expression: Invalid value: "6": must evaluate to bool but got int',
    ],
  ])('is refused with %j', (parts, ...errors) => {
    expect(errorsOf(parts)).toEqual(errors);
  });

  it('checks only the last plain resource next to a wildcard', () => {
    expect(errorsOf({ rules: [{ ...rule, resources: ['pods', '*'] }] })).toEqual([]);
  });

  it('may keep existing values in an update', () => {
    const old = configuration({ sideEffects: 'Some', admissionReviewVersions: ['v2'] }, {});
    expect(webhookConfigurationErrors(server, old, old)).toEqual([]);
    const changed = configuration({ sideEffects: 'Maybe', admissionReviewVersions: ['v2'] }, {});
    expect(webhookConfigurationErrors(server, changed, old).map(printFieldError)).toEqual([
      'webhooks[0].sideEffects: Unsupported value: "Maybe": supported values: "None", "NoneOnDryRun", "Some", "Unknown"',
    ]);
  });

  it('does not validate unchanged conditions', () => {
    const old = configuration({ matchConditions: [{ name: 'a', expression: 'nothing' }] });
    expect(webhookConfigurationErrors(server, old, old)).toEqual([]);
  });
});
