import type { RestStorage } from '../../../apiserver/handlers/rest-storage.js';
import { checkAddresses, proxyOptions, streamTo } from '../streams.js';

/** Proxy to a node. Source: kubernetes pkg/registry/core/node/rest/proxy.go. */
export const nodeProxy: RestStorage = {
  connecter: streamTo({ options: proxyOptions, nameIn: nodeIn, check: checkAddresses, code: 200 }),
};

function nodeIn(segment: string): string {
  const parts = segment.split(':');
  return (parts.length > 2 ? parts[1] : parts[0]) ?? segment;
}
