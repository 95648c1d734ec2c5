import type { Refinement, StrategyContext } from '../../../apiserver/registry/strategy.js';
import { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { quote } from '../../../go/quote.js';
import { listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../../go/value.js';
import { addNote } from '../../../kubernetes/call-notes.js';
import { type FieldError, forbiddenField, internalFieldError } from '../../../kubernetes/field-error.js';
import { adminRequest } from '../claimed-devices.js';
import { statusPermissionErrors } from './status-permissions.js';

/** Source: kubernetes pkg/registry/resource/resourceclaim/strategy.go. */
export const resourceClaim: Refinement = base => {
  const strategy = withAdminAccess(base, object => object.child('spec'));
  return {
    ...strategy,
    prepareForUpdate: (object, old, context) => {
      strategy.prepareForUpdate(object, old, context);
      if (context.subresource === 'status') dropDeallocated(object, old);
    },
    validateUpdate: (object, old, context) => [
      ...(context.subresource === 'status' ? [...grantedErrors(object, old, context), ...permissionErrors(object, old, context)] : []),
      ...strategy.validateUpdate(object, old, context),
    ],
  };
};

const resultsOf = (claim: ValueMap): readonly Value[] => listAt(claim, 'status', 'allocation', 'devices', 'results');

/** Removes the drivers' status of deallocated devices. */
function dropDeallocated(object: ValueMap, old: ValueMap): void {
  const deviceKeyOf = (device: Value): string => ['driver', 'pool', 'device', 'shareID'].map(name => stringAt(device, name)).join('/');
  const kept = new Set(resultsOf(object).map(deviceKeyOf));
  const lost = new Set(
    resultsOf(old)
      .map(deviceKeyOf)
      .filter(key => !kept.has(key)),
  );
  const status = mapAt(object, 'status');
  const devices = listAt(status, 'devices').filter(device => !lost.has(deviceKeyOf(device)));
  if (devices.length > 0) status?.set('devices', devices);
  else status?.delete('devices');
}

/** Returns the errors of administrative access that an allocation newly grants. Source: registry/resource AuthorizedForAdminStatus. */
function grantedErrors(object: ValueMap, old: ValueMap, context: StrategyContext): FieldError[] {
  const grant = (claim: ValueMap): number => resultsOf(claim).findIndex(result => valueAt(result, 'adminAccess') === true);
  const isGranted = grant(old) < 0 && grant(object) >= 0;
  return isGranted ? adminLabelErrors(`status.allocation.devices.results[${grant(object)}].adminAccess`, object, context) : [];
}

function permissionErrors(object: ValueMap, old: ValueMap, context: StrategyContext): FieldError[] {
  if (context.usesRbac) return statusPermissionErrors(object, old, context);
  if (context.user.groups.every(group => group !== 'system:masters'))
    addNote(context.record, "the user's permissions to bind the claim and to write the status of its devices are not checked");
  return [];
}

/** Source: kubernetes pkg/registry/resource/resourceclaimtemplate/strategy.go. */
export const resourceClaimTemplate: Refinement = base => withAdminAccess(base, object => object.child('spec', 'spec'));

function withAdminAccess(base: Parameters<Refinement>[0], specOf: (object: FieldPath) => FieldPath): ReturnType<Refinement> {
  return {
    ...base,
    validate: (object, context) => [
      ...adminAccessErrors(specOf(FieldPath.root(context.server, object)), object, context),
      ...base.validate(object, context),
    ],
  };
}

const adminLabel = 'resource.kubernetes.io/admin-access';

/** Returns the error of administrative access without the label on the namespace. Source: registry/resource AuthorizedForAdmin. */
function adminAccessErrors(spec: FieldPath, object: ValueMap, context: StrategyContext): FieldError[] {
  const index = adminRequest(spec);
  return index < 0 ? [] : adminLabelErrors(`spec.devices.requests[${index}].adminAccess`, object, context);
}

function adminLabelErrors(field: string, object: ValueMap, { storage }: StrategyContext): FieldError[] {
  const name = stringAt(object, 'metadata', 'namespace');
  const namespace = storage.find({ group: '', kind: 'Namespace' }, '', name);
  if (namespace === undefined)
    return [internalFieldError(field, `could not retrieve namespace to verify admin access: namespaces ${quote(name)} not found`)];
  if (stringAt(namespace, 'metadata', 'labels', adminLabel) === 'true') return [];
  return [forbiddenField(field, `admin access to devices requires the \`${adminLabel}: true\` label on the containing namespace`)];
}
