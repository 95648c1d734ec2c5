import type { ClusterState } from '../../kubernetes/api-call.js';
import { mapAt, stringAt, type ValueMap } from '../../kubernetes/value.js';
import { CliError } from '../cli-error.js';
import { refusalsOf } from '../lint/refusals.js';
import { isConfiguration, isPolicyObject } from './configurations.js';

/**
 * Throws CliError for a configuration of webhooks, or an admission policy, that no API server would take. What comes out of a cluster has been taken by one, by
 * the rules of its day, and is let pass: it has a generation.
 */
export async function checkConfigurations({ objects }: ClusterState): Promise<void> {
  for (const configuration of objects.filter(isNew)) {
    const refusal = (await refusalsOf(configuration)).find(({ finding }) => finding.severity === 'error');
    if (refusal === undefined) continue;
    const name = `${stringAt(configuration, 'kind')} ${stringAt(configuration, 'metadata', 'name')}`;
    throw new CliError('invalid-configuration', `the API server refuses ${name}: ${refusal.finding.message}`, {
      suggestions: ['look at all that is wrong with it: webhook-cli lint'],
    });
  }
}

function isNew(object: ValueMap): boolean {
  return (
    (isConfiguration(object) || isPolicyObject(object)) &&
    stringAt(object, 'apiVersion') === 'admissionregistration.k8s.io/v1' &&
    mapAt(object, 'metadata')?.has('generation') !== true
  );
}
