import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { EndpointCertificate } from '../../src/webhook-server/script/scripted-endpoint.js';
import { projectRoot } from '../corpus/files.js';

/** A certificate of the corpus' endpoints, with its bundle, as PEM. The keys are for tests only. */
export type Profile = EndpointCertificate & { readonly bundle: string };

/** Returns the profile of a name in the corpus: `valid`, `expired`, `tls12` ... Throws for an unknown name. */
export function profileNamed(name: string): Profile {
  const profile = profiles()[name];
  if (profile === undefined) throw new Error(`no certificate ${name}`);
  return { ...profile, minimum: nodeVersion(profile.minimum), maximum: nodeVersion(profile.maximum) };
}

let loaded: Readonly<Record<string, Profile>> | undefined;

function profiles(): Readonly<Record<string, Profile>> {
  const file = path.join(projectRoot, 'fixtures/certificates.json.gz');
  loaded ??= (JSON.parse(gunzipSync(readFileSync(file)).toString()) as { profiles: Record<string, Profile> }).profiles;
  return loaded;
}

/** `TLSv1_2` in profiles is `TLSv1.2` in Node. */
function nodeVersion(version: string | undefined): EndpointCertificate['minimum'] {
  return version?.replace('_', '.') as EndpointCertificate['minimum'];
}
