import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { EndpointCertificate } from '../../src/webhook-server/script/scripted-endpoint.js';
import { projectRoot } from '../corpus/files.js';

/** A certificate that endpoints of the corpus serve, and the bundle that goes with it, PEM. The keys are throwaway keys. */
export type Profile = EndpointCertificate & { readonly bundle: string };

/** The profile of a name in the corpus: `valid`, `expired`, `tls12` ... Throws for a name nobody knows. */
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

/** `TLSv1_2`, as the profiles say, is `TLSv1.2` to Node. */
function nodeVersion(version: string | undefined): EndpointCertificate['minimum'] {
  return version?.replace('_', '.') as EndpointCertificate['minimum'];
}
