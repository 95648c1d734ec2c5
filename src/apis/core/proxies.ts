import type { CallContext, VerbAnswer } from '../../apiserver/call/call-context.js';
import type { Connecter } from '../../apiserver/handlers/rest-storage.js';
import type { ProxyLocation } from '../../apiserver/report/serving.js';
import { isGlobalUnicast } from '../../go/netip/address-class.js';
import { quote } from '../../go/quote.js';
import type { ValueMap } from '../../go/value.js';
import { addNote } from '../../kubernetes/call-notes.js';
import { parseIpSloppy } from '../../kubernetes/ip-rules.js';
import { badRequest } from '../../kubernetes/status-errors.js';

/** The name in the URL of a proxy, with what may surround it. */
export interface SchemeNamePort {
  readonly scheme: '' | 'http' | 'https';
  readonly name: string;
  /** Number or name; empty for the default. */
  readonly port: string;
}

/** Where an object is, whatever is asked of it. */
export type Located = Omit<ProxyLocation, 'path'>;

/** Returns where an object is. Throws the error of one that cannot be reached. */
type Locate = (named: SchemeNamePort, context: CallContext) => Located;

/**
 * Returns the storage of a proxy: the request is passed on to its object after admission. `singular` names the resource in errors. Source: kubernetes
 * pkg/registry/core/pod/rest, service/proxy, node/rest.
 */
export function proxyTo(singular: string, locate: Locate): Connecter {
  return {
    options: ({ info }): ValueMap => new Map(info.rest === '' ? [] : [['path', info.rest]]),
    connect: (context): VerbAnswer => {
      const { info, state, record } = context;
      const named = splitSchemeNamePort(info.name);
      if (named === undefined) throw badRequest(`invalid ${singular} request ${quote(info.name)}`);
      const location = locate(named, context);
      if (state.live !== undefined) return { code: 200, body: '', proxiedTo: { ...location, path: info.rest } };
      addNote(record, 'the proxied request itself is not reproduced: it passed admission');
      return { code: 200, body: '' };
    },
  };
}

/** Returns the parts of `NAME`, `NAME:PORT` or `SCHEME:NAME:PORT`; undefined for other forms. Source: apimachinery util/net SplitSchemeNamePort. */
function splitSchemeNamePort(id: string): SchemeNamePort | undefined {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || (scheme !== '' && scheme !== 'http' && scheme !== 'https')) return undefined;
  return { scheme, name, port };
}

/** Throws the 400 for an address of this machine or network. Source: kubernetes pkg/registry/core/pod ResourceLocation, node isProxyableHostname. */
export function checkProxyable(address: string): void {
  const parsed = parseIpSloppy(address);
  if (parsed === undefined || !isGlobalUnicast(parsed)) throw badRequest('address not allowed');
}
