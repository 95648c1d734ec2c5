import type { OtherAuthorizer } from '../../apiserver/authorization/authorizer-of.js';
import { parseDuration } from '../../go/duration.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { FlagValues } from '../../kubernetes/server-options.js';

/** Returns the authorizers of the modes that need files; undefined without such modes. Throws StartError. Source: kubernetes pkg/kubeapiserver/options/authorization.go. */
export async function otherAuthorizers(
  server: ApiServer,
  flags: FlagValues,
  cwd: string,
): Promise<ReadonlyMap<string, OtherAuthorizer> | undefined> {
  const last = (name: string): string | undefined => flags.get(name)?.at(-1) || undefined;
  const authorizers = new Map<string, OtherAuthorizer>();
  const policies = last('authorization-policy-file');
  if (policies !== undefined) {
    const { abacAuthorizer } = await import('./abac.js');
    authorizers.set('ABAC', abacAuthorizer(policies, cwd));
  }
  const kubeconfig = last('authorization-webhook-config-file');
  if (kubeconfig !== undefined) {
    const { reviewClient } = await import('./review-client.js');
    const { webhookAuthorizer } = await import('./webhook-authorizer.js');
    const options = {
      version: last('authorization-webhook-version') === 'v1' ? 'v1' : 'v1beta1',
      timeoutMs: 30_000,
      authorizedMs: milliseconds(last('authorization-webhook-cache-authorized-ttl') ?? '5m'),
      unauthorizedMs: milliseconds(last('authorization-webhook-cache-unauthorized-ttl') ?? '30s'),
      deniesOnError: false,
    } as const;
    authorizers.set('Webhook', webhookAuthorizer(server, reviewClient(kubeconfig, cwd), options));
  }
  return authorizers.size === 0 ? undefined : authorizers;
}

function milliseconds(text: string): number {
  return Number(parseDuration(text)) / 1e6;
}
