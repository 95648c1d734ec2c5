import { definitionsOf } from '../../../apiserver/call/definitions.js';
import { versionsOf } from '../../../apiserver/storage/stored-conversions.js';
import { CliError } from '../../../client/cli-error.js';
import type { Manifest } from '../../../client/manifests/manifests.js';
import type { WebhookFlagOptions } from '../../../client/options/webhook-options.js';
import { copyOf, ensureMap, isMap, mapAt, stringAt, toValue, type ValueMap } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { apiVersionOf } from '../../../kubernetes/group-version.js';
import { kindOf } from '../../../kubernetes/storage.js';

import { findDefinitionRefusal, refusedDefinition } from '../input/refused-definitions.js';
import { withConversionAuthority } from '../webhooks/configurations.js';
import { readBundle } from '../webhooks/connection-files.js';

/** A webhook that replaces the definition's own. */
export interface OtherWebhook {
  readonly url: string;
  /** PEM; undefined: the system's roots. */
  readonly caBundle: Uint8Array | undefined;
  readonly reviewVersions: readonly string[];
}

/** Returns the definition of a manifest's kind. Throws CliError when the state has no definition of this kind and version. */
export function definitionOfManifest({ object, location }: Manifest, state: ClusterState): ValueMap {
  const { group, version, kind } = kindOf(object);
  const definition = definitionsOf(state).find(
    d => stringAt(d, 'spec', 'group') === group && stringAt(d, 'spec', 'names', 'kind') === kind,
  );
  const apiVersion = apiVersionOf({ group, version });
  if (definition === undefined) {
    throw new CliError('unknown-kind', `the state has no definition of ${kind} in ${apiVersion}`, {
      location,
      suggestions: ['pass the CustomResourceDefinition with --state'],
    });
  }
  if (!versionsOf(definition).includes(apiVersion)) {
    const known = versionsOf(definition).join(', ');
    throw new CliError('unknown-kind', `${stringAt(definition, 'metadata', 'name')} has no version ${apiVersion}, only ${known}`, {
      location,
    });
  }
  return definition;
}

/** How to reach the webhook of a definition. */
export interface DefinitionUse {
  readonly server: ApiServer;
  /** Replaces its own. */
  readonly webhook: OtherWebhook | undefined;
  readonly flags: Pick<WebhookFlagOptions, 'caFile' | 'allowHttp'>;
  readonly cwd: string;
}

/** Returns the definition with the webhook to use. Throws CliError with the API server's message when it refuses the definition. */
export async function acceptDefinition(own: ValueMap, { server, webhook, flags, cwd }: DefinitionUse): Promise<ValueMap> {
  const file = flags.caFile;
  const definition =
    webhook !== undefined
      ? withWebhook(own, webhook)
      : file === undefined
        ? own
        : withConversionAuthority(own, readBundle('ca-file', file, cwd));
  // --allow-http permits an address that every API server refuses.
  if (flags.allowHttp === true) return definition;
  const refusal = await findDefinitionRefusal(server, definition);
  if (refusal === undefined) return definition;
  throw refusedDefinition(own, refusal);
}

/** Replaces the webhook of a definition. */
function withWebhook(definition: ValueMap, { url, caBundle, reviewVersions }: OtherWebhook): ValueMap {
  const copy = copyOf(definition);
  const clientConfig = { url, ...(caBundle === undefined ? {} : { caBundle: Buffer.from(caBundle).toString('base64') }) };
  ensureMap(copy, 'spec').set(
    'conversion',
    toValue({ strategy: 'Webhook', webhook: { conversionReviewVersions: reviewVersions, clientConfig } }),
  );
  return copy;
}

/** Returns the target versions of `--to` for an object, each once; `all` means all other versions. Throws CliError for unknown versions. */
export function targetVersions(to: readonly string[], own: string, definition: ValueMap): string[] {
  const versions = versionsOf(definition);
  const group = stringAt(definition, 'spec', 'group');
  const wanted = to.flatMap(word => {
    if (word === 'all') return versions.filter(version => version !== own);
    const version = word.includes('/') ? word : apiVersionOf({ group, version: word });
    if (versions.includes(version)) return [version];
    throw new CliError(
      'usage',
      `${stringAt(definition, 'metadata', 'name')} has no version ${JSON.stringify(word)}, only ${versions.join(', ')}`,
    );
  });
  return [...new Set(wanted)];
}

/** Reports whether this is a list of the definition's kind. The API server converts it in one review. */
export function isListOf(list: ValueMap | undefined, definition: ValueMap): boolean {
  if (!isMap(list)) return false;
  const { group, kind } = kindOf(list);
  const names = mapAt(definition, 'spec', 'names');
  return group === stringAt(definition, 'spec', 'group') && kind === (stringAt(names, 'listKind') || `${stringAt(names, 'kind')}List`);
}
