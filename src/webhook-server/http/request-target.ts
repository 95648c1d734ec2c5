/** A request target split as Go's net/url does. Strings hold one byte a character. */
export interface RequestTarget {
  /** Unescaped; `*` for the asterisk form, '' for an absolute URL without a path. */
  readonly path: string;
  /** The path in its valid escaped form. */
  readonly escapedPath: string;
  /** Without the question mark. */
  readonly rawQuery: string;
  /** The host of an absolute URL; '' otherwise. */
  readonly host: string;
}

/**
 * Splits a request target; undefined when Go refuses it. `target` holds one byte a character.
 * Source: net/url ParseRequestURI, net/http readRequest.
 */
export function parseRequestTarget(method: string, target: string): RequestTarget | undefined {
  const isAuthority = method === 'CONNECT' && !target.startsWith('/');
  const text = isAuthority ? `http://${target}` : target;
  if (text === '' || /[\x00-\x1f\x7f]/.test(text)) return undefined;
  if (text === '*') return { path: '*', escapedPath: '*', rawQuery: '', host: '' };
  const scheme = schemeOf(text);
  if (scheme === undefined) return undefined;
  const afterScheme = scheme === '' ? text : text.slice(scheme.length + 1);
  const question = afterScheme.indexOf('?');
  const beforeQuery = question < 0 ? afterScheme : afterScheme.slice(0, question);
  const rawQuery = question < 0 ? '' : afterScheme.slice(question + 1);
  if (!beforeQuery.startsWith('/')) return scheme === '' ? undefined : { path: '', escapedPath: '', rawQuery, host: '' };
  if (scheme === '' || !beforeQuery.startsWith('//')) return withPath(beforeQuery, rawQuery, '');
  const slash = beforeQuery.indexOf('/', 2);
  const authority = slash < 0 ? beforeQuery.slice(2) : beforeQuery.slice(2, slash);
  const host = hostOf(authority);
  return host === undefined ? undefined : withPath(slash < 0 ? '' : beforeQuery.slice(slash), rawQuery, host);
}

/** The scheme; '' when there is none; undefined when the text starts with a colon. Source: net/url getScheme. */
function schemeOf(text: string): string | undefined {
  if (text.startsWith(':')) return undefined;
  return /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? '';
}

/** The host of an authority; undefined when it is not valid. Source: net/url parseAuthority. */
function hostOf(authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(at, 0));
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) || hasBadEscape(user)) return undefined;
  const host = authority.slice(at + 1);
  if (host.startsWith('[')) return /^\[[^\]]*\](:\d*)?$/.test(host) ? host : undefined;
  if (!/^[^:]*(:.*)?:\d*$|^[^:]*$/.test(host)) return undefined;
  return /[\x00-\x20"<>\\^`{|}/?#@]/.test(host) || /%(?![89a-fA-F][0-9a-fA-F])/.test(host) ? undefined : host;
}

function hasBadEscape(text: string): boolean {
  return /%(?![0-9a-fA-F]{2})/.test(text);
}

function withPath(raw: string, rawQuery: string, host: string): RequestTarget | undefined {
  if (plainPath.test(raw)) return { path: raw, escapedPath: raw, rawQuery, host };
  if (hasBadEscape(raw)) return undefined;
  const path = unescapePath(raw);
  return { path, escapedPath: validEscaped.test(raw) ? raw : escapePath(path), rawQuery, host };
}

const plainPath = /^[A-Za-z0-9\-_.~$&+,/:;=@]*$/;
/** Source: net/url validEncoded in a path. */
const validEscaped = /^[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]%/]*$/;

/** `%2F` as `/`; the escapes must be valid. */
export function unescapePath(text: string): string {
  return text.includes('%') ? text.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) : text;
}

/** Bytes as a path shows them in a URL. Source: net/url escape in a path. */
export function escapePath(bytes: string): string {
  return bytes.replace(/[^A-Za-z0-9\-_.~$&+,/:;=@]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}
