import path from 'node:path';
import { lazy } from '../../src/kubernetes/memoize.js';
import type { EndpointCertificate } from '../../src/webhook-server/script/scripted-endpoint.js';
import { projectRoot } from '../corpus/files.js';
import { readRecordedText } from './recorded-text.js';

/** A certificate of the corpus' endpoints, with its bundle, as PEM. The keys are for tests only. */
export type Profile = EndpointCertificate & { readonly bundle: string };

/** Returns the profile of a name in the corpus: `valid`, `expired`, `tls12` ... Throws for an unknown name. */
export function profileNamed(name: string): Profile {
  const profile = profiles().get(name);
  if (profile === undefined) throw new Error(`no certificate ${name}`);
  return profile;
}

/** Endpoints with the same profile share its object, and with it their TLS context. */
const profiles = lazy((): ReadonlyMap<string, Profile> => {
  const file = path.join(projectRoot, 'fixtures/certificates.json');
  const document: { readonly profiles: Readonly<Record<string, Profile>> } = JSON.parse(readRecordedText(file));
  return new Map(
    Object.entries(document.profiles).map(([name, { minimum, maximum, ...profile }]) => [
      name,
      { ...profile, minimum: nodeVersion(minimum), maximum: nodeVersion(maximum) },
    ]),
  );
});

/** `TLSv1_2` in profiles is `TLSv1.2` in Node. */
function nodeVersion(version: string | undefined): EndpointCertificate['minimum'] {
  return version?.replace('_', '.') as EndpointCertificate['minimum'];
}
