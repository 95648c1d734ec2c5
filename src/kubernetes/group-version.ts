/** A group and version as in `apiVersion`; the core group is the empty string. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

export interface GroupVersionResource extends GroupVersion {
  readonly resource: string;
}

/** Returns `apps/v1` or, for the core group, `v1`. */
export function apiVersionOf({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/**
 * Parses an `apiVersion`. Empty and `/` give the empty group version; undefined for more than one slash, which Kubernetes reports as
 * `unexpected GroupVersion string: <s>`. Source: apimachinery ParseGroupVersion.
 */
export function parseApiVersion(apiVersion: string): GroupVersion | undefined {
  if (apiVersion === '' || apiVersion === '/') return { group: '', version: '' };
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return { group: '', version: apiVersion };
  return apiVersion.includes('/', slash + 1) ? undefined : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** Returns whether two group versions are equal. */
export function sameGroupVersion(a: GroupVersion, b: GroupVersion): boolean {
  return a.group === b.group && a.version === b.version;
}

/** Returns whether two kinds are equal, with their versions. */
export function sameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return sameGroupVersion(a, b) && a.kind === b.kind;
}

/** Returns whether two resources are equal, with their versions. */
export function sameResource(a: GroupVersionResource, b: GroupVersionResource): boolean {
  return sameGroupVersion(a, b) && a.resource === b.resource;
}

/** Returns a GroupVersionKind as %v prints it: `apps/v1, Kind=Deployment`, or `/v1, Kind=Pod` for the core group. */
export function printKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** Returns a GroupVersionResource as %v prints it: `apps/v1, Resource=deployments`. */
export function printResource({ group, version, resource }: GroupVersionResource): string {
  return `${group}/${version}, Resource=${resource}`;
}

/** Returns a resource as messages name it: `deployments.apps`, or `pods` for the core group. */
export function groupResource({ group, resource }: { readonly group: string; readonly resource: string }): string {
  return group === '' ? resource : `${resource}.${group}`;
}
