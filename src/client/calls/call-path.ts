import { memoizeStrings } from '../../kubernetes/memoize.js';
import { pathSegmentError } from '../../kubernetes/name-rules.js';
import { CliError } from '../cli-error.js';
import type { Manifest } from '../manifests/manifests.js';
import type { Target } from './target.js';

/** Returns `/api/v1/namespaces/team/pods`. Throws CliError for a namespace that is invalid in a path. */
export function collectionPath({ group, version, resource, namespace }: Target): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespace === '' ? '' : `/namespaces/${namespaceSegment(namespace)}`}/${resource}`;
}

/** Returns the path of the object or its subresource. Throws CliError for an object without a valid name. */
export function objectPath(target: Target, { location }: Manifest): string {
  if (target.name === '') {
    throw new CliError('invalid-manifest', 'resource name may not be empty', {
      location,
      suggestions: ['add metadata.name'],
    });
  }
  return `${collectionPath(target)}/${segment('resource name', target.name)}${target.subresource === '' ? '' : `/${target.subresource}`}`;
}

/** Encodes parameters as Go does. */
export function queryOfCall(parameters: Readonly<Record<string, string | readonly string[] | undefined>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map(text => `${name}=${queryValue(text)}`),
  );
  return given.length === 0 ? '' : `?${given.join('&')}`;
}

/** Calls have few namespaces, and few values in their queries. */
const namespaceSegment = memoizeStrings(100, namespace => segment('namespace', namespace));

/** Encodes a part of a path. Throws client-go's error for an invalid one. */
function segment(what: string, text: string): string {
  const error = pathSegmentError(what, text);
  if (error !== undefined) throw new CliError('invalid-manifest', error);
  return encodeURIComponent(text).replace(/%(3A|40|24|26|2B|2C|3B|3D)/g, code => decodeURIComponent(code));
}

const queryValue = memoizeStrings(100, text =>
  encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`),
);
