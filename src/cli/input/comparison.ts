import type { WebhookOptions } from '../../client/options/webhook-options.js';
import type { ValueMap } from '../../go/value.js';
import type { Surroundings } from '../surroundings.js';
import { authorityOf } from '../webhooks/cluster-webhooks.js';
import { checkUrl } from '../webhooks/registration.js';
import { comparedPolicies } from './compared-policies.js';

/** What `--compare` compares the webhooks with: policies in their place, or another webhook that gets the same reviews. */
export type Comparison =
  | { readonly policies: readonly ValueMap[] }
  /** Without `caBundle`: the one of the webhook it is compared with. */
  | { readonly url: string; readonly caBundle: Uint8Array | undefined };

/** Returns the comparison of `--compare`; undefined without the flag. Throws CliError. */
export async function comparedWith(
  flags: Pick<WebhookOptions, 'caFile' | 'allowHttp'> & { readonly compare?: string | undefined },
  surroundings: Pick<Surroundings, 'cwd' | 'stdin' | 'uid' | 'now'>,
): Promise<Comparison | undefined> {
  const { compare } = flags;
  if (compare === undefined) return undefined;
  if (!/^https?:/i.test(compare)) return { policies: await comparedPolicies(compare, surroundings) };
  checkUrl(compare, flags, 'compare');
  return { url: compare, caBundle: authorityOf(flags, surroundings.cwd) };
}
