import { quote } from '../go/quote.js';
import { apiVersionOf, type GroupVersionKind, type GroupVersionResource, printKind, printResource } from './group-version.js';

/** No resource of this name: the first of the two "no match" errors. Source: apimachinery api/meta/errors.go. */
export class NoResourceMatchError extends Error {
  override readonly name = 'NoResourceMatchError';
  readonly resource: GroupVersionResource;

  constructor(resource: GroupVersionResource) {
    super(`no matches for ${printResource(resource)}`);
    this.resource = resource;
  }
}

/** Unknown kind, in these versions or at all: the other "no match" error. */
export class NoKindMatchError extends Error {
  override readonly name = 'NoKindMatchError';
  readonly group: string;
  readonly kind: string;

  constructor({ group, kind }: { readonly group: string; readonly kind: string }, versions: readonly string[]) {
    super(`no matches for kind ${quote(kind)} ${inVersions(group, versions)}`);
    this.group = group;
    this.kind = kind;
  }
}

/** A name that matches several resources or kinds. */
export class AmbiguousResourceError extends Error {
  override readonly name = 'AmbiguousResourceError';

  constructor(resource: GroupVersionResource, matches: MapperMatches) {
    super(`${printResource(resource)} ${printMatches(matches)}`);
  }
}

/** A kind without a version that matches several mappings. */
export class AmbiguousKindError extends Error {
  override readonly name = 'AmbiguousKindError';

  constructor({ group, kind }: { readonly group: string; readonly kind: string }, matches: MapperMatches) {
    super(`${printKind({ group, version: '', kind })} ${printMatches(matches)}`);
  }
}

export interface MapperMatches {
  readonly resources: readonly GroupVersionResource[];
  readonly kinds: readonly GroupVersionKind[];
}

/** Returns whether an error is one of the "no match" errors. */
export function isNoMatch(error: unknown): boolean {
  return error instanceof NoResourceMatchError || error instanceof NoKindMatchError;
}

function inVersions(group: string, versions: readonly string[]): string {
  const names = [...new Set(versions.map(version => quote(apiVersionOf({ group, version }))))].sort();
  if (names.length === 0) return `in group ${quote(group)}`;
  return names.length === 1 ? `in version ${names[0]}` : `in versions [${names.join(' ')}]`;
}

function printMatches({ resources, kinds }: MapperMatches): string {
  const resourceList = `[${resources.map(printResource).join(' ')}]`;
  const kindList = `[${kinds.map(printKind).join(' ')}]`;
  if (resources.length > 0 && kinds.length > 0) return `matches multiple resources ${resourceList} and kinds ${kindList}`;
  if (resources.length > 0) return `matches multiple resources ${resourceList}`;
  return kinds.length > 0 ? `matches multiple kinds ${kindList}` : 'matches multiple resources or kinds';
}
