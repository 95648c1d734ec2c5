import { CliError } from '../../../client/cli-error.js';
import { mapAt, stringAt, type ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';

import { findCausesOfRefusal } from '../refusals/refusals.js';
import { isConfiguration, isPolicyObject } from './configurations.js';

/**
 * Throws CliError for a webhook configuration that the API server refuses. Configurations from a cluster, which have a generation, were
 * accepted by its version, and are not checked.
 */
export async function checkConfigurations({ server, objects }: Pick<ClusterState, 'server' | 'objects'>): Promise<void> {
  for (const configuration of objects.filter(isNew)) {
    if (stringAt(configuration, 'apiVersion') !== served) throw unserved(configuration);
    const refusal = (await findCausesOfRefusal(server, configuration)).find(({ finding }) => finding.severity === 'error');
    if (refusal === undefined) continue;
    const name = `${stringAt(configuration, 'kind')} ${stringAt(configuration, 'metadata', 'name')}`;
    throw new CliError('invalid-configuration', `the API server refuses ${name}: ${refusal.finding.message}`, {
      suggestions: ['run webhook-cli lint for all errors'],
    });
  }
}

const served = 'admissionregistration.k8s.io/v1';

function isNew(object: ValueMap): boolean {
  const isChecked = isConfiguration(object) || (isPolicyObject(object) && stringAt(object, 'apiVersion') === served);
  return isChecked && mapAt(object, 'metadata')?.has('generation') !== true;
}

/** No minor that is reproduced serves webhook configurations in another version: v1beta1 ended with v1.22. */
function unserved(configuration: ValueMap): CliError {
  const [kind, version] = [stringAt(configuration, 'kind'), stringAt(configuration, 'apiVersion')];
  const name = stringAt(configuration, 'metadata', 'name');
  return new CliError(
    'invalid-configuration',
    `${kind} ${name}: no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(version)}`,
    {
      suggestions: [`use ${served}, which requires sideEffects and admissionReviewVersions`],
    },
  );
}
