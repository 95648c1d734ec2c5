import path from 'node:path';
import { targetOfWebhook } from '../../../apiserver/webhooks/client-config.js';
import { type ChainCheck, checkChain } from '../../../certificates/check-chain.js';
import { servingNamesOf } from '../../../certificates/serving-names.js';
import { readServingPair, type ServingPair } from '../../../certificates/serving-pair.js';
import type { WebhookClient } from '../../../certificates/webhook-clients.js';
import { Base64Error, decodeGoBase64 } from '../../../go/base64.js';
import type { Probed } from '../../../transport/probe.js';
import { bundleText } from '../../../x509/bundle.js';
import { readInputFile } from '../../work/input/files.js';

export interface VerifySettings {
  readonly at: Date;
  readonly minDays: number;
}

/** Result for one webhook, or for the folder itself. */
export interface Verified {
  readonly name: string;
  readonly serverName: string;
  /** Source of the certificate: a file or an address. */
  readonly source: string;
  /** `unreachable`: the server presented no certificate. `unfilled`: the caBundle is empty here and is filled in the cluster. */
  readonly outcome: 'accepted' | 'refused' | 'endsSoon' | 'unreachable' | 'unfilled';
  /** The API server's message. */
  readonly message: string | undefined;
  readonly why: string | undefined;
  readonly try: string | undefined;
  readonly notes: readonly string[];
}

/** Destination of a webhook's calls. */
export interface Destination {
  readonly url: string;
  readonly serverName: string;
  readonly address: { readonly host: string; readonly port: number } | undefined;
}

/** Returns the destination of a webhook, or the API server's reason why there is none. */
export function destinationOf({ webhook, service, url }: WebhookClient): Destination | string {
  const clientConfig = { service, url, caBundle: new Uint8Array() };
  const target = targetOfWebhook({ name: webhook ?? '', clientConfig }, () => ({ unresolvable: 'not asked' }));
  if (typeof target === 'string') return target;
  return { ...target, address: 'host' in target.address ? target.address : undefined };
}

/** Verifies a webhook against the files of a server. */
export function verifyByFiles(client: WebhookClient, pair: ServingPair & { readonly source: string }, settings: VerifySettings): Verified {
  const destination = destinationOf(client);
  if (typeof destination === 'string') return withoutDestination(client, destination);
  const bundle = bundleOf(client);
  if (bundle instanceof Base64Error) return badBase64(client, destination, bundle);
  const checked = checkChain({ chain: pair.chain, bundle, serverName: destination.serverName, at: settings.at }, settings.minDays);
  return verified(client, destination, { checked, source: pair.source });
}

/** Verifies a webhook against the certificate that a server presents. */
export function verifyByHandshake(client: WebhookClient, probed: Probed & { readonly source: string }, settings: VerifySettings): Verified {
  const destination = destinationOf(client);
  if (typeof destination === 'string') return withoutDestination(client, destination);
  const bundle = bundleOf(client);
  if (bundle instanceof Base64Error) return badBase64(client, destination, bundle);
  const checked = checkChain({ chain: probed.chain, bundle, serverName: destination.serverName, at: settings.at }, settings.minDays);
  const { failure, source } = probed;
  // An API server does not connect with an unusable caBundle.
  if (checked.error?.startsWith(unusableBundle) === true) return verified(client, destination, { checked, source });
  if (failure !== undefined && probed.chain.length === 0) {
    const message = apiServerMessage(client, destination, failure.message);
    const fix =
      failure.failureClass === 'tls' ? 'check the server: it ended the handshake' : 'check that the server is running and reachable';
    return { ...base(client, destination, source), outcome: 'unreachable', message, why: 'the server presented no certificate', try: fix };
  }
  // The handshake saw the chain as sent, in its order.
  return verified(client, destination, { checked: { ...checked, error: failure?.message }, source });
}

const unusableBundle = 'unable to load root certificates: ';

/** Verifies a folder: do certificate and key match, and does the CA in it verify every name? */
export function verifyFolder(folder: string, cwd: string, settings: VerifySettings): Verified[] {
  const pair = readFolderPair(folder, cwd);
  const bundle = certificateText(path.join(folder, 'ca.crt'), cwd);
  const names = pair.leaf === undefined ? undefined : servingNamesOf(pair.leaf);
  const own = pairFinding(pair);
  const all = [...(names?.dns ?? []), ...(names?.ips ?? [])];
  if (own !== undefined || all.length === 0)
    return [
      own ?? {
        ...folderBase(pair.source),
        outcome: 'refused',
        message: undefined,
        why: 'the certificate has no names',
        try: 'create one with names: webhook-cli certs create',
      },
    ];
  const results = all.map(serverName => {
    const checked = checkChain({ chain: pair.chain, bundle, serverName, at: settings.at }, settings.minDays);
    return { ...folderBase(pair.source), serverName, ...outcomeOf(checked, message => message) };
  });
  return grouped(results);
}

/** Groups names with the same result. */
function grouped(results: readonly Verified[]): Verified[] {
  const groups = new Map<string, Verified[]>();
  for (const result of results) {
    const said = JSON.stringify([result.outcome, result.message, result.why]);
    groups.set(said, [...(groups.get(said) ?? []), result]);
  }
  return [...groups.values()].flatMap(group => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first, serverName: group.map(result => result.serverName).join(', ') }];
  });
}

/** tls.crt and tls.key of a folder. Throws CliError when one is missing. */
export function readFolderPair(folder: string, cwd: string): ServingPair & { readonly source: string } {
  const source = path.join(folder, 'tls.crt');
  return { ...readServingPair(certificateText(source, cwd), certificateText(path.join(folder, 'tls.key'), cwd)), source };
}

/** Returns the finding for a key pair that no server can use. */
export function pairFinding({ error, source }: ServingPair & { readonly source: string }): Verified | undefined {
  if (error === undefined) return undefined;
  const why = error.includes('does not match') ? 'tls.crt and tls.key do not match' : 'a server cannot serve with these files';
  return { ...folderBase(source), outcome: 'refused', message: error, why, try: 'create a pair: webhook-cli certs create --force' };
}

function certificateText(file: string, cwd: string): string {
  return Buffer.from(readInputFile(file, cwd)).toString('utf8');
}

function folderBase(source: string) {
  return { name: path.dirname(source), serverName: '', source, message: undefined, why: undefined, try: undefined, notes: [] };
}

function base({ name, notes }: WebhookClient, { serverName }: Destination, source: string) {
  return { name, serverName, source, message: undefined, why: undefined, try: undefined, notes };
}

interface CheckedAt {
  readonly checked: ChainCheck;
  readonly source: string;
}

function verified(client: WebhookClient, destination: Destination, { checked, source }: CheckedAt): Verified {
  const own = base(client, destination, source);
  const notes = [...checked.notes, ...client.notes];
  if (client.caBundle === undefined && client.filledInCluster) {
    return { ...own, outcome: 'unfilled', why: 'caBundle is empty here, and is set in the cluster', try: undefined, notes };
  }
  return { ...own, ...outcomeOf(checked, message => apiServerMessage(client, destination, message)), notes };
}

function outcomeOf(
  { error, explanation, endsSoon, notes }: ChainCheck,
  worded: (message: string) => string,
): Pick<Verified, 'outcome' | 'message' | 'why' | 'try' | 'notes'> {
  if (error !== undefined) return { outcome: 'refused', message: worded(error), why: explanation?.why, try: explanation?.try, notes };
  if (endsSoon === undefined) return { outcome: 'accepted', message: undefined, why: undefined, try: undefined, notes };
  const fix = 'renew it: webhook-cli certs create --renew-before DURATION';
  return { outcome: 'endsSoon', message: worded(endsSoon), why: 'it is accepted now, but not then', try: fix, notes };
}

function withoutDestination(client: WebhookClient, reason: string): Verified {
  const message =
    client.webhook === undefined ? reason : `failed calling webhook "${client.webhook}": could not get REST client: ${reason}`;
  const nowhere = { url: '', serverName: '', address: undefined };
  return {
    ...base(client, nowhere, ''),
    outcome: 'refused',
    message,
    why: 'the client configuration has neither a service nor a URL',
    try: 'add one of them',
  };
}

/** Returns the result for a caBundle that is not base64. */
export function badBase64(client: WebhookClient, destination: Destination, error: Base64Error): Verified {
  const why = 'caBundle is not base64, and the API server refuses the whole object';
  return {
    ...base(client, destination, ''),
    outcome: 'refused',
    message: error.message,
    why,
    try: 'write a new one: webhook-cli certs inject',
  };
}

/** Returns the text of a caBundle; undefined without one. */
export function bundleOf({ caBundle }: WebhookClient): string | undefined | Base64Error {
  if (caBundle === undefined) return undefined;
  try {
    return bundleText(decodeGoBase64(caBundle));
  } catch (error) {
    if (error instanceof Base64Error) return error;
    throw error;
  }
}

/** Returns the error that a client of the API server gets. Source: apiserver webhook dispatchers, conversion webhook_converter.go. */
export function apiServerMessage(
  { webhook, caller, converts, timeoutSeconds }: WebhookClient,
  { url }: Destination,
  message: string,
): string {
  const isBundle = message.startsWith(unusableBundle);
  const post = `Post "${url}?timeout=${timeoutSeconds}s": ${message}`;
  if (caller === 'webhook') {
    return isBundle
      ? `failed calling webhook "${webhook ?? ''}": could not get REST client: ${message}`
      : `failed calling webhook "${webhook ?? ''}": failed to call webhook: ${post}`;
  }
  if (caller === 'conversion' && !isBundle) return `conversion webhook for ${converts ?? ''} failed: ${post}`;
  return message;
}
