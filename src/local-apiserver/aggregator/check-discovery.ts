import { quote } from '../../go/quote.js';
import type { ValueMap } from '../../go/value.js';
import type { BackendAnswer, CallBackend } from '../../kubernetes/backend-call.js';
import { userInfo } from '../access/authentication.js';
import { pathOfApiService, type ResolverParts, resolveBackend, serviceOf } from './backend-service.js';
import { userHeaders } from './user-headers.js';

const attempts = 5;
const attemptMs = 5000;

/** Result of asking a service for its discovery. */
export type DiscoveryCheck =
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'failed'; readonly message: string }
  /** No request can be sent, for example with an invalid caBundle. */
  | { readonly outcome: 'unsendable' };

type CallParts = ResolverParts & { readonly callBackend: CallBackend };

/**
 * Asks the service of an APIService for its discovery, five times at once: it passes if one of them succeeds, otherwise the error of the last one counts. Source:
 * kube-aggregator pkg/controllers/status/remote.
 */
export function checkDiscovery(apiService: ValueMap, parts: CallParts): Promise<DiscoveryCheck> {
  return new Promise((resolve, reject) => {
    let left = attempts;
    for (let i = 0; i < attempts; i += 1)
      tryDiscovery(apiService, parts).then(check => {
        left -= 1;
        if (check.outcome !== 'failed' || left === 0) resolve(check);
      }, reject);
  });
}

async function tryDiscovery(apiService: ValueMap, { callBackend, ...parts }: CallParts): Promise<DiscoveryCheck> {
  const service = serviceOf(apiService);
  const backend = service === undefined ? '' : resolveBackend(apiService, service, parts);
  if (typeof backend === 'string') return { outcome: 'failed', message: backend };
  const { host, ...where } = backend;
  const url = `https://${host}${pathOfApiService(apiService)}`;
  const header = [agent, ...userHeaders(userInfo('system:kube-aggregator', ['system:masters']))];
  const answer = await callBackend({ method: 'GET', url, header, body: undefined, deadlineMs: attemptMs, ...where });
  if (answer.outcome === 'failed' && answer.stage === 'transport') return { outcome: 'unsendable' };
  const problem = problemOf(answer, url);
  return problem === undefined
    ? { outcome: 'passed' }
    : { outcome: 'failed', message: `failing or missing response from ${url}: ${problem}` };
}

/** Go's client names itself where nobody else does. */
const agent = ['User-Agent', 'Go-http-client/2.0'] as const;

function problemOf(answer: BackendAnswer, url: string): string | undefined {
  if (answer.outcome === 'failed') {
    const isLate = answer.message.endsWith('context deadline exceeded');
    return `Get ${quote(url)}: ${answer.message}${isLate ? ' (Client.Timeout exceeded while awaiting headers)' : ''}`;
  }
  answer.release();
  return answer.statusCode < 200 || answer.statusCode >= 300 ? `bad status from ${url}: ${answer.statusCode}` : undefined;
}
