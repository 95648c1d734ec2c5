// Records what a running kube-apiserver says of itself, for scripts/tables.js and scripts/server-data.js.
//
//   TOKEN=... node scripts/server-tables.js FOLDER URL ALL-URL
//
// URL is a new API server with default flags, ALL-URL one with --runtime-config=api/all=true and
// --feature-gates=AllAlpha=true,AllBeta=true. The user of the bearer token must be allowed to do everything; certificates are trusted with
// NODE_EXTRA_CA_CERTS, or not verified with NODE_TLS_REJECT_UNAUTHORIZED=0. It creates and deletes two CustomResourceDefinitions.
//
// FOLDER gets resources-MINOR.json, gates-MINOR.json and server-MINOR.json.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { bootstrapLines } from './server-tables/bootstrap.js';
import { newClient } from './server-tables/client.js';
import { columnsOf } from './server-tables/columns.js';
import { resourcesText } from './server-tables/discovery.js';
import { gatesIn } from './server-tables/gates.js';
import { openApiLines } from './server-tables/openapi.js';
import { sortedMembers } from './sorted-members.js';

const [folder, url, allUrl] = process.argv.slice(2);
const token = process.env['TOKEN'];
if (allUrl === undefined || token === undefined) throw new Error('usage: TOKEN=... node scripts/server-tables.js FOLDER URL ALL-URL');
const [server, everything] = [newClient(url, token), newClient(allUrl, token)];

const version = (await server.json('/version')).gitVersion;
const minor = /^v\d+\.\d+/.exec(version)[0];
const write = (name, text) => writeFileSync(path.join(folder, `${name}-${minor}.json`), text);

const files = {
  'bootstrap.jsonl': await bootstrapLines(server),
  'columns.json': await columnsOf(everything),
  'health-checks.json': await healthChecks(),
  'root-paths.json': (await server.json('/')).paths,
  'storage-version-hashes.json': await storageVersionHashes(),
  'version.json': await server.text('/version'),
};
write('resources', await resourcesText(version, server, everything));
write('gates', `${JSON.stringify(gatesIn(await server.text('/metrics')))}\n`);
write('server', JSON.stringify({ version, files: { ...files, 'openapi.txt': await openApiLines(server) } }));

/** Names of the checks of each endpoint, in the order in which they are printed. */
async function healthChecks() {
  const endpoints = ['healthz', 'livez', 'readyz'];
  const texts = await Promise.all(endpoints.map(endpoint => server.text(`/${endpoint}?verbose`)));
  return Object.fromEntries(endpoints.map((endpoint, i) => [endpoint, [...texts[i].matchAll(/^\[.\](\S+) /gm)].map(([, name]) => name)]));
}

/** `GROUP/VERSION/RESOURCE` and the hash, for every stored resource. */
async function storageVersionHashes() {
  const { groups } = await everything.json('/apis');
  const versions = groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion));
  const found = {};
  for (const [at, name] of [['/api/v1', '/v1'], ...versions.map(version => [`/apis/${version}`, version])])
    for (const { name: resource, storageVersionHash } of (await everything.json(at)).resources)
      if (storageVersionHash !== undefined) found[`${name}/${resource}`] = storageVersionHash;
  return sortedMembers(found);
}
