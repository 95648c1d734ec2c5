import { type FieldError, invalidValue, required } from '../../../kubernetes/field-error.js';
import { parseImageReference } from '../../../kubernetes/image-reference.js';
import { isNil, type ValidationSite } from './site.js';

type Validator = (site: ValidationSite) => FieldError[];

/** Functions of `+k8s:customValidation`. Source: kubernetes pkg/apis/core/v1, lifecycle/v1alpha1, apimachinery meta/v1/validation. */
export const customValidators: ReadonlyMap<string, Validator> = new Map<string, Validator>([
  ['Condition_LastTransitionTime', ({ path, value }) => (isNil(value) ? [required(path, '')] : [])],
  ['EvictionRequestSpec_Requester', reservedDomainErrors],
  ['EvictionResponder_Name', reservedDomainErrors],
  ['EvictionResponder_Priority', reservedPriorityErrors],
  ['SecurityProfileOCIBase_LocalhostProfile', relativePathErrors],
  ['SecurityProfileOCI_Ref', pinnedReferenceErrors],
]);

function reservedDomainErrors({ path, value }: ValidationSite): FieldError[] {
  if (typeof value !== 'string') return [];
  const [prefix = ''] = value.split('/', 1);
  const domain = prefix.toLowerCase().trim().replace(/\.+$/, '');
  const isReserved = ['k8s.io', 'kubernetes.io'].some(reserved => domain === reserved || domain.endsWith(`.${reserved}`));
  return isReserved ? [invalidValue(path, value, 'domain names *.k8s.io, *.kubernetes.io are reserved')] : [];
}

function reservedPriorityErrors({ path, value }: ValidationSite): FieldError[] {
  if (typeof value !== 'bigint' || value < 0n || value >= 1000n) return [];
  return [invalidValue(path, value, 'priorities 0-999 are reserved for responders with *.k8s.io suffix')];
}

/** Values that are too long have only that error. */
const [longestPath, longestReference] = [4096, 1024];

function relativePathErrors({ path, value }: ValidationSite): FieldError[] {
  if (typeof value !== 'string' || [...value].length > longestPath) return [];
  if (value === '') return [required(path, 'must not be empty')];
  return [
    ...(value.startsWith('/') ? [invalidValue(path, value, 'must be a relative path')] : []),
    ...(value.split('/').includes('..') ? [invalidValue(path, value, "must not contain '..'")] : []),
  ];
}

/** A reference in its full form with a digest and without a tag. */
function pinnedReferenceErrors({ path, value }: ValidationSite): FieldError[] {
  if (typeof value !== 'string' || value === '' || [...value].length > longestReference) return [];
  const form = '<registry>/<repository>@<algorithm>:<digest>';
  const parsed = parseImageReference(value);
  const error = 'error' in parsed ? parsed.error : parsed.text === value ? undefined : 'repository name must be canonical';
  if (error !== undefined || 'error' in parsed)
    return [invalidValue(path, value, `must be a digest-pinned reference in canonical form (${form}): ${String(error)}`)];
  if (parsed.tag !== '') return [invalidValue(path, value, 'must not contain a tag')];
  return parsed.digest === '' ? [invalidValue(path, value, `must be pinned by digest (${form})`)] : [];
}
