import { quote } from '../../go/quote.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type HttpGet, jsonOf, memberText } from './http-client.js';
import { type KeySet, remoteKeySet } from './key-set.js';

/** An issuer that is being asked for its discovery document. */
export interface Provider {
  /** Returns the keys, after the attempt that is under way; undefined until the document has been read. */
  readonly keys: () => Promise<KeySet | undefined>;
  /** Returns the keys if they are known now. */
  readonly knownKeys: () => KeySet | undefined;
  /** Why the last attempt failed; undefined if it did not. */
  readonly problem: () => string | undefined;
  readonly stop: () => void;
}

export interface ProviderOptions {
  readonly server: ApiServer;
  readonly issuer: string;
  /** Where the discovery document is; empty: at the issuer. */
  readonly discoveryUrl: string;
  readonly get: HttpGet;
  readonly now: () => Date;
  /** Called with the reason of each attempt that fails. */
  readonly onFailure: (reason: string) => void;
}

const retryMs = 10_000;

/** Asks an issuer for its discovery document, every ten seconds until it answers. Source: apiserver plugin/pkg/authenticator/token/oidc New, go-oidc NewProvider. */
export function startProvider(options: ProviderOptions): Provider {
  const { server, get, now } = options;
  let keys: KeySet | undefined;
  let problem: string | undefined = `oidc: authenticator for issuer ${quote(options.issuer)} is not initialized`;
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;
  const attempt = async (): Promise<void> => {
    try {
      keys = remoteKeySet(server, await readKeysUrl(options), { get, now });
      problem = undefined;
    } catch (error) {
      if (isStopped) return;
      problem = error instanceof Error ? error.message : String(error);
      options.onFailure(problem);
      retry = setTimeout(() => {
        asking = attempt();
      }, retryMs).unref();
    }
  };
  let asking = attempt();
  return {
    keys: async () => {
      await asking;
      return keys;
    },
    knownKeys: () => keys,
    problem: () => problem,
    stop: () => {
      isStopped = true;
      clearTimeout(retry);
    },
  };
}

async function readKeysUrl({ server, issuer, discoveryUrl, get }: ProviderOptions): Promise<string> {
  const answer = await get(discoveryUrl === '' ? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration` : discoveryUrl);
  if (answer.code !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  let document: object;
  try {
    document = jsonOf(answer);
  } catch (error) {
    throw new Error(`oidc: failed to decode provider discovery object: ${error instanceof Error ? error.message : String(error)}`);
  }
  const named = memberText(document, 'issuer');
  if (named !== issuer)
    throw new Error(`oidc: issuer did not match the issuer returned by provider, expected ${quote(issuer)} got ${quote(named)}`);
  const url = memberText(document, 'jwks_uri');
  if (url === '' && server.since('v1.35')) throw new Error('provider did not return JWKS URL');
  return url;
}
