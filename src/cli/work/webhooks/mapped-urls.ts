import { invalidFlag } from '../../../client/cli-error.js';
import type { WebhookCall } from '../../../kubernetes/webhook-call.js';
import { callTo } from './webhook-at-url.js';

/** Returns the call as it is sent. */
export type MapCall = (call: WebhookCall) => WebhookCall;

/**
 * Parses `--urls URL=URL`: calls to the URL of a configuration go to another address. As with a mapped service, the name in the
 * certificate stays, and the path unless the other address has one. A URL without a path matches every path of its host. Throws CliError.
 */
export function mappedCalls(mappings: readonly string[]): MapCall {
  const parsed = mappings.map(parseMapping);
  return call => {
    if (parsed.length === 0 || !URL.canParse(call.url)) return call;
    const { origin, pathname, hostname } = new URL(call.url);
    const to = (parsed.find(({ from }) => from === origin + pathname) ?? parsed.find(({ from }) => from === `${origin}/`))?.to;
    if (to === undefined) return call;
    const { address, url } = callTo(to, call);
    const { pathname: path, search } = new URL(url);
    return { ...call, url: `${origin}${path}${search}`, address, serverName: hostname.replace(/^\[|\]$/g, '') };
  };
}

/** Returns the hosts whose calls go to another address, which may have a variable for its port. */
export function mappedHosts(mappings: readonly string[]): string[] {
  const urls = mappings.map(mapping => mapping.replace(/=.*/s, '')).filter(url => URL.canParse(url));
  return [...new Set(urls.map(url => new URL(url).hostname.replace(/^\[|\]$/g, '')))];
}

function parseMapping(text: string): { readonly from: string; readonly to: string } {
  const at = text.indexOf('=');
  const [from = '', to = ''] = at < 0 ? [] : [text.slice(0, at), text.slice(at + 1)];
  if (![from, to].every(url => /^https?:\/\//.test(url) && URL.canParse(url)))
    throw invalidFlag('urls', text, 'URL=URL, such as https://hooks.example.com/validate=https://127.0.0.1:8443');
  const { origin, pathname } = new URL(from);
  return { from: origin + pathname, to };
}
