import { CliError } from '../../client/cli-error.js';
import { mapAt, stringAt, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';

import { refusalsOf } from '../lint/refusals.js';
import { isConfiguration, isPolicyObject } from './configurations.js';

/**
 * Throws CliError for a webhook configuration that the API server refuses. Configurations from a cluster, which have a generation, were
 * accepted by its version, and are not checked.
 */
export async function checkConfigurations({ objects }: ClusterState): Promise<void> {
  for (const configuration of objects.filter(isNew)) {
    const refusal = (await refusalsOf(configuration)).find(({ finding }) => finding.severity === 'error');
    if (refusal === undefined) continue;
    const name = `${stringAt(configuration, 'kind')} ${stringAt(configuration, 'metadata', 'name')}`;
    throw new CliError('invalid-configuration', `the API server refuses ${name}: ${refusal.finding.message}`, {
      suggestions: ['run webhook-cli lint for all errors'],
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
