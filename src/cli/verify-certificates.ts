import path from 'node:path';
import { targetOf } from '../apiserver/webhooks/client-config.js';
import { type ChainCheck, checkChain } from '../certificates/check-chain.js';
import { namesOf } from '../certificates/serving-names.js';
import { readServingPair, type ServingPair } from '../certificates/serving-pair.js';
import type { WebhookClient } from '../certificates/webhook-clients.js';
import { Base64Error, decodeGoBase64 } from '../go/base64.js';
import type { Probed } from '../transport/probe.js';
import { readInputFile } from './input/files.js';

export interface VerifySettings {
  readonly at: Date;
  readonly minDays: number;
}

/** What is said about one webhook, or about the folder itself. */
export interface Verified {
  readonly name: string;
  readonly serverName: string;
  /** Where the certificate was looked at: a file or an address. */
  readonly source: string;
  /** `unreachable`: nothing was shown. `unfilled`: the caBundle is empty, and somebody else will fill it. */
  readonly outcome: 'accepted' | 'refused' | 'endsSoon' | 'unreachable' | 'unfilled';
  /** The API server's own words. */
  readonly message: string | undefined;
  readonly why: string | undefined;
  readonly try: string | undefined;
  readonly notes: readonly string[];
}

/** Where a webhook is called. */
export interface Destination {
  readonly url: string;
  readonly serverName: string;
  readonly address: { readonly host: string; readonly port: number } | undefined;
}

/** The destination of a webhook, in the API server's spelling; a text is its reason why there is none. */
export function destinationOf({ webhook, service, url }: WebhookClient): Destination | string {
  const clientConfig = { service, url, caBundle: '' };
  const target = targetOf({ name: webhook ?? '', clientConfig }, () => ({ unresolvable: 'not asked' }));
  if (typeof target === 'string') return target;
  return { ...target, address: 'host' in target.address ? target.address : undefined };
}

/** A webhook against the files a server would serve with. */
export function verifyByFiles(client: WebhookClient, pair: ServingPair & { readonly source: string }, settings: VerifySettings): Verified {
  const destination = destinationOf(client);
  if (typeof destination === 'string') return withoutDestination(client, destination);
  const bundle = bundleOf(client);
  if (bundle instanceof Base64Error) return badBase64(client, destination, bundle);
  const checked = checkChain({ chain: pair.chain, bundle, serverName: destination.serverName, at: settings.at }, settings.minDays);
  return verified(client, destination, { checked, source: pair.source });
}

/** A webhook against what a server shows. */
export function verifyByHandshake(client: WebhookClient, probed: Probed & { readonly source: string }, settings: VerifySettings): Verified {
  const destination = destinationOf(client);
  if (typeof destination === 'string') return withoutDestination(client, destination);
  const bundle = bundleOf(client);
  if (bundle instanceof Base64Error) return badBase64(client, destination, bundle);
  const checked = checkChain({ chain: probed.chain, bundle, serverName: destination.serverName, at: settings.at }, settings.minDays);
  const { failure, source } = probed;
  // An API server that cannot use the caBundle does not even connect.
  if (checked.error?.startsWith(unusableBundle) === true) return verified(client, destination, { checked, source });
  if (failure !== undefined && probed.chain.length === 0) {
    const message = apiServerWords(client, destination, failure.message);
    const fix =
      failure.failureClass === 'tls'
        ? 'look at the server: it ended the handshake itself'
        : 'check that the server is running and reachable';
    return { ...base(client, destination, source), outcome: 'unreachable', message, why: 'the server showed no certificate', try: fix };
  }
  // The handshake saw what was really sent, in its order.
  return verified(client, destination, { checked: { ...checked, error: failure?.message }, source });
}

const unusableBundle = 'unable to load root certificates: ';

/** The folder by itself: whether certificate and key belong together and the authority beside them vouches for every name. */
export function verifyFolder(folder: string, cwd: string, settings: VerifySettings): Verified[] {
  const pair = readFolderPair(folder, cwd);
  const bundle = textOf(path.join(folder, 'ca.crt'), cwd);
  const names = pair.leaf === undefined ? undefined : namesOf(pair.leaf);
  const own = pairFinding(pair);
  const all = [...(names?.dns ?? []), ...(names?.ips ?? [])];
  if (own !== undefined || all.length === 0)
    return [
      own ?? {
        ...folderBase(pair.source),
        outcome: 'refused',
        message: undefined,
        why: 'the certificate names nobody',
        try: 'make one that does: webhook-cli certs create',
      },
    ];
  const results = all.map(serverName => {
    const checked = checkChain({ chain: pair.chain, bundle, serverName, at: settings.at }, settings.minDays);
    return { ...folderBase(pair.source), serverName, ...outcomeOf(checked, words => words) };
  });
  return grouped(results);
}

/** Names of which the same is said stand together. */
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
  return { ...readServingPair(textOf(source, cwd), textOf(path.join(folder, 'tls.key'), cwd)), source };
}

/** What keeps a server from serving with the pair at all. */
export function pairFinding({ error, source }: ServingPair & { readonly source: string }): Verified | undefined {
  if (error === undefined) return undefined;
  const why = error.includes('does not match') ? 'tls.crt and tls.key do not belong together' : 'a server cannot serve with these files';
  return { ...folderBase(source), outcome: 'refused', message: error, why, try: 'make a pair: webhook-cli certs create --force' };
}

function textOf(file: string, cwd: string): string {
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
    return { ...own, outcome: 'unfilled', why: 'caBundle is empty here, and is filled in the cluster', try: undefined, notes };
  }
  return { ...own, ...outcomeOf(checked, words => apiServerWords(client, destination, words)), notes };
}

function outcomeOf(
  { error, explanation, endsSoon, notes }: ChainCheck,
  worded: (words: string) => string,
): Pick<Verified, 'outcome' | 'message' | 'why' | 'try' | 'notes'> {
  if (error !== undefined) return { outcome: 'refused', message: worded(error), why: explanation?.why, try: explanation?.try, notes };
  if (endsSoon === undefined) return { outcome: 'accepted', message: undefined, why: undefined, try: undefined, notes };
  const fix = 'renew it: webhook-cli certs create --renew-before DURATION';
  return { outcome: 'endsSoon', message: worded(endsSoon), why: 'it is accepted now and will not be then', try: fix, notes };
}

function withoutDestination(client: WebhookClient, reason: string): Verified {
  const message =
    client.webhook === undefined ? reason : `failed calling webhook "${client.webhook}": could not get REST client: ${reason}`;
  const nowhere = { url: '', serverName: '', address: undefined };
  return {
    ...base(client, nowhere, ''),
    outcome: 'refused',
    message,
    why: 'the client configuration names neither a service nor a URL',
    try: 'add one of them',
  };
}

function badBase64(client: WebhookClient, destination: Destination, error: Base64Error): Verified {
  const why = 'caBundle is no base64, and the API server refuses the whole object';
  return {
    ...base(client, destination, ''),
    outcome: 'refused',
    message: error.message,
    why,
    try: 'write it anew: webhook-cli certs inject',
  };
}

function bundleOf({ caBundle }: WebhookClient): string | undefined | Base64Error {
  if (caBundle === undefined) return undefined;
  try {
    return Buffer.from(decodeGoBase64(caBundle)).toString('utf8');
  } catch (error) {
    if (error instanceof Base64Error) return error;
    throw error;
  }
}

/** The error a client of the API server would read. Source: apiserver webhook dispatchers, conversion webhook_converter.go. */
function apiServerWords({ webhook, caller, converts, timeoutSeconds }: WebhookClient, { url }: Destination, words: string): string {
  const isBundle = words.startsWith(unusableBundle);
  const post = `Post "${url}?timeout=${timeoutSeconds}s": ${words}`;
  if (caller === 'webhook') {
    return isBundle
      ? `failed calling webhook "${webhook ?? ''}": could not get REST client: ${words}`
      : `failed calling webhook "${webhook ?? ''}": failed to call webhook: ${post}`;
  }
  if (caller === 'conversion' && !isBundle) return `conversion webhook for ${converts ?? ''} failed: ${post}`;
  return words;
}
