import { pathOfUrl } from './parse.js';
import { escapedPath, type Url } from './url.js';

/** Returns the URL that a reference denotes within a base URL. Source: Go URL.ResolveReference. */
export function resolveReference(base: Url, reference: Url): Url {
  const url = { ...reference, scheme: reference.scheme === '' ? base.scheme : reference.scheme };
  if (reference.scheme !== '' || reference.host !== '' || reference.user !== undefined) {
    return { ...url, ...pathOfUrl(resolvePath(escapedPath(reference), '')) };
  }
  const relative = { ...url, user: undefined, host: '', path: '' };
  if (reference.opaque !== '') return relative;
  const isEmpty = reference.path === '' && !reference.forceQuery && reference.rawQuery === '';
  const rawQuery = isEmpty ? base.rawQuery : url.rawQuery;
  const { fragment, rawFragment } = isEmpty && reference.fragment === '' ? base : reference;
  if (reference.path === '' && base.opaque !== '') return { ...relative, opaque: base.opaque, rawQuery, fragment, rawFragment };
  const path = pathOfUrl(resolvePath(escapedPath(base), escapedPath(reference)));
  return { ...url, host: base.host, user: base.user, rawQuery, fragment, rawFragment, ...path };
}

function resolvePath(base: string, reference: string): string {
  const full = reference === '' ? base : reference.startsWith('/') ? reference : base.slice(0, base.lastIndexOf('/') + 1) + reference;
  if (full === '') return '';
  let out = '/';
  // An empty segment counts unless nothing precedes it: `/..//x` is `/x`, `//x` stays.
  let isFirst = true;
  const segments = full.split('/');
  for (const segment of segments) {
    if (segment === '..') {
      out = out.slice(0, Math.max(1, out.lastIndexOf('/')));
      isFirst = out.length === 1;
    } else {
      if (segment !== '.') out += isFirst ? segment : `/${segment}`;
      isFirst = false;
    }
  }
  const last = segments.at(-1);
  if (last === '.' || last === '..') out += '/';
  return out.startsWith('//') ? out.slice(1) : out;
}
