import { parseRequestUri, parseUrl, UrlError } from '../../go/url/parse.js';
import { escapedPath, queryOfUrl, splitHost, type Url, urlText } from '../../go/url/url.js';
import { type FunctionDeclaration, fn, memberDeclaration, overload, unary } from '../check/declarations.js';
import { extensionKind } from '../values/extension.js';
import { textInside } from '../values/found.js';
import { identityOf, mapOf } from '../values/maps.js';
import { BOOL, listType, mapType, STRING, structType, type Type } from '../values/type.js';
import { type CelError, type CelValue, celError, celListOf, noSuchOverload } from '../values/value.js';

const URL_TYPE = structType('kubernetes.URL', 0);
const urls = extensionKind<Url>(URL_TYPE);

/** URL library. Source: apiserver pkg/cel/library/urls.go. */
export const urlFunctions: readonly FunctionDeclaration[] = [
  fn('url', overload('string_to_url', [STRING], URL_TYPE, unary(toUrl))),
  getter('getScheme', 'url_get_scheme', url => url.scheme),
  getter('getHost', 'url_get_host', url => url.host),
  getter('getHostname', 'url_get_hostname', url => splitHost(url.host).hostname),
  getter('getPort', 'url_get_port', url => splitHost(url.host).port),
  getter('getEscapedPath', 'url_get_escaped_path', escapedPath),
  getter('getQuery', 'url_get_query', query, mapType(STRING, listType(STRING))),
  fn('isURL', overload('is_url_string', [STRING], BOOL, unary(isUrl))),
];

function getter(name: string, id: string, get: (url: Url) => CelValue, result: Type = STRING): FunctionDeclaration {
  const implementation = unary(value => {
    const url = urls.contentOf(value);
    return url === undefined ? noSuchOverload(value) : get(url);
  });
  return fn(name, memberDeclaration(id, [URL_TYPE], result, implementation));
}

function parsedCelUrl(text: string): Url | CelError {
  try {
    parseRequestUri(text);
    return parseUrl(text);
  } catch (error) {
    if (error instanceof UrlError) return celError(`URL parse error during conversion from string: ${error.message}`);
    throw error;
  }
}

function toUrl(value: CelValue): CelValue {
  const text = textInside(value);
  if (text === undefined) return noSuchOverload(value);
  const url = parsedCelUrl(text);
  if ('kind' in url) return url;
  const goText = urlText(url);
  return urls.make({
    content: url,
    equals: other => goText === urlText(other),
    goText,
    goType: 'cel.URL',
    inner: { goType: '*url.URL', goText },
  });
}

/** Checks only what a request line can contain; an invalid fragment is ignored. */
function isUrl(value: CelValue): CelValue {
  const text = textInside(value);
  if (text === undefined) return noSuchOverload(value);
  try {
    parseRequestUri(text);
    return true;
  } catch (error) {
    if (error instanceof UrlError) return false;
    throw error;
  }
}

function query(url: Url): CelValue {
  const entries = [...queryOfUrl(url.rawQuery)].map(([key, values]) => [identityOf(key), [key, celListOf(values)]] as const);
  return mapOf(new Map(entries));
}
