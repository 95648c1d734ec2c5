import { existsSync } from 'node:fs';
import path from 'node:path';
import type { WebhookClient } from '../../../certificates/webhook-clients.js';
import { Base64Error } from '../../../go/base64.js';
import { type BundleFault, bundleFaults } from '../../../x509/bundle-faults.js';
import { apiServerMessage, badBase64, bundleOf, destinationOf, type Verified, type VerifySettings } from './verify-certificates.js';

const tries: Readonly<Record<BundleFault['kind'], string>> = {
  unusable: 'inject the CA: webhook-cli certs inject; leave caBundle out where a tool such as cert-manager writes it',
  expired: 'create a new CA: webhook-cli certs create --rotate-ca, then webhook-cli certs inject',
  future: 'compare the clocks of this machine and of the one that issued it',
  leaf: 'inject the CA that signed it: webhook-cli certs inject',
  'private-key': 'create a new CA and inject only its certificate: webhook-cli certs create --rotate-ca, then webhook-cli certs inject',
};

/** Reports whether a folder contains a serving certificate or its key. */
export function hasServingFiles(folder: string, cwd: string): boolean {
  return ['tls.crt', 'tls.key'].some(name => existsSync(path.resolve(cwd, folder, name)));
}

/** Checks the caBundle of a webhook without its serving certificate. */
export function verifyBundle(client: WebhookClient, { at, minDays }: VerifySettings): Verified {
  const found = destinationOf(client);
  const destination = typeof found === 'string' ? { url: client.url ?? '', serverName: '', address: undefined } : found;
  const bundle = bundleOf(client);
  if (bundle instanceof Base64Error) return badBase64(client, destination, bundle);
  const own = { name: client.name, serverName: destination.serverName, source: '', message: undefined, try: undefined };
  if (bundle === undefined) {
    const why = client.filledInCluster
      ? 'caBundle is empty here, and is set in the cluster'
      : 'caBundle is empty: the roots of the system are used';
    return { ...own, outcome: 'unfilled', why, notes: client.notes };
  }
  const faults = bundleFaults(bundle, at);
  const worst = faults.find(({ kind }) => kind !== 'leaf');
  const notes = faults.flatMap(fault => (fault === worst ? [] : [`${fault.message}: ${tries[fault.kind]}`]));
  if (worst === undefined) {
    const [later] = bundleFaults(bundle, new Date(at.getTime() + minDays * 86_400_000)).filter(({ kind }) => kind === 'expired');
    const all = [...notes, ...client.notes, 'only caBundle was checked: --cert-dir or --service add the serving certificate'];
    return later === undefined
      ? { ...own, outcome: 'accepted', why: undefined, notes: all }
      : { ...own, outcome: 'endsSoon', message: later.error, why: later.message, try: tries.expired, notes: all };
  }
  const message = worst.error === undefined ? undefined : apiServerMessage(client, destination, worst.error);
  return { ...own, outcome: 'refused', message, why: worst.message, try: tries[worst.kind], notes: [...notes, ...client.notes] };
}
