import { type FieldError, forbiddenField, internalFieldError } from '../../../kubernetes/field-error.js';
import { stringAt, type ValueMap } from '../../../kubernetes/value.js';
import type { Refinement, StrategyContext } from '../strategy.js';
import { adminRequest } from '../validation/devices/claim.js';
import { at, type Place, placeOf } from '../validation/place.js';

/** Source: kubernetes pkg/registry/resource/resourceclaim/strategy.go. */
export const resourceClaim: Refinement = base => withAdminAccess(base, object => at(object, 'spec'));

/** Source: kubernetes pkg/registry/resource/resourceclaimtemplate/strategy.go. */
export const resourceClaimTemplate: Refinement = base => withAdminAccess(base, object => at(object, 'spec', 'spec'));

function withAdminAccess(base: Parameters<Refinement>[0], specOf: (object: Place) => Place): ReturnType<Refinement> {
  return {
    ...base,
    validate: (object, context) => [...adminAccessErrors(specOf(placeOf(object)), object, context), ...base.validate(object, context)],
  };
}

const adminLabel = 'resource.kubernetes.io/admin-access';

/** Administrative access needs a label on the namespace. Source: registry/resource AuthorizedForAdmin. */
function adminAccessErrors(spec: Place, object: ValueMap, { storage }: StrategyContext): FieldError[] {
  const index = adminRequest(spec);
  if (index < 0) return [];
  const field = `spec.devices.requests[${index}].adminAccess`;
  const name = stringAt(object, 'metadata', 'namespace');
  const namespace = storage.find({ group: '', kind: 'Namespace' }, '', name);
  if (namespace === undefined)
    return [internalFieldError(field, `could not retrieve namespace to verify admin access: namespaces ${JSON.stringify(name)} not found`)];
  if (stringAt(namespace, 'metadata', 'labels', adminLabel) === 'true') return [];
  return [forbiddenField(field, `admin access to devices requires the \`${adminLabel}: true\` label on the containing namespace`)];
}
