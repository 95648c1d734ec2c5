// The objects that an API server has before each recorded call: placed in its etcd, and put back after the call.
import { setTimeout } from 'node:timers/promises';
import { keyOf, pathOf, resourcesOf, storedValue } from './stored-values.js';

/** Informers of admission see a change after this time, in milliseconds. */
const settling = 700;

/** Objects that admission reads from informers. */
const isWatched =
  /^\/registry\/(?:namespaces|serviceaccounts|limitranges|resourcequotas|minions|\w*classes|\w+webhookconfigurations|\w+admissionpolic\w+|apiextensions\.k8s\.io)\//;

/** Objects that the API server writes on its own. */
const isOwn = /^\/registry\/(?:masterleases|leases\/kube-system\/apiserver-)/;

const discoveryForm = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Prepares a new API server: its definitions exist, and what is there now is put back after each call. */
export async function prepareStage(oracle, definitions) {
  await createDefinitions(oracle, definitions);
  const discoveries = [];
  for (const at of ['/api', '/apis']) {
    const { body } = await oracle.call({ method: 'GET', path: at, headers: { Accept: discoveryForm } });
    discoveries.push(JSON.parse(body));
  }
  const groups = definitions.map(({ spec }) => spec.group);
  const { rows } = await oracle.read(false);
  const base = new Map([...rows].filter(([key]) => !isOwn.test(key)).map(([key, { value }]) => [key, value]));
  return { oracle, resources: resourcesOf(discoveries, groups), base, placed: new Map(), revisions: new Map() };
}

/** Creates definitions, and waits until their resources are served. */
async function createDefinitions(oracle, definitions) {
  for (const crd of definitions) {
    const body = Buffer.from(JSON.stringify(crd)).toString('base64');
    const at = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const made = await oracle.call({ method: 'POST', path: at, body, headers: { 'Content-Type': 'application/json' } });
    if (made.status !== 201) throw new Error(`${crd.metadata.name}: ${made.status} ${made.body}`);
  }
  for (const { spec } of definitions) {
    const [{ name }] = spec.versions.filter(({ served }) => served);
    const at = `/apis/${spec.group}/${name}/${spec.names.plural}`;
    for (let tries = 0; (await oracle.call({ method: 'GET', path: at })).status !== 200; tries += 1) {
      if (tries > 100) throw new Error(`${at} is not served`);
      await setTimeout(100);
    }
  }
}

/** Makes the stored objects those of a case: writes what is missing or different, and puts back what the case before had. */
export async function placeObjects(stage, objects) {
  const wanted = new Map(objects.map(object => [keyOf(object, stage.resources), storedValue(object, stage.oracle.hooks)]));
  const gone = [...stage.placed.keys()].filter(key => !wanted.has(key)).map(key => [key, stage.base.get(key)]);
  const changed = [...wanted].filter(([key, value]) => stage.placed.get(key)?.equals(value) !== true);
  stage.placed = wanted;
  await writeAndSettle(stage, [...gone, ...changed]);
}

/** Puts back what a call created, changed or deleted since a revision. */
export async function putBack(stage, since) {
  const { rows } = await stage.oracle.read(true);
  const changed = [...rows].filter(([key, { revision }]) => Number(revision) > Number(since) && !isOwn.test(key)).map(([key]) => key);
  const deleted = [...stage.placed.keys(), ...stage.base.keys()].filter(key => !rows.has(key));
  const keys = [...new Set([...changed, ...deleted])];
  await writeAndSettle(
    stage,
    keys.map(key => [key, stage.placed.get(key) ?? stage.base.get(key)]),
  );
}

async function writeAndSettle(stage, values) {
  const revisions = await stage.oracle.write(values);
  for (const [key] of values) stage.revisions.delete(key);
  for (const [key, revision] of revisions) stage.revisions.set(key, revision);
  if (values.some(([key]) => isWatched.test(key))) await setTimeout(settling);
}

/**
 * Reads an object once the server's cache has it: a deletion tries the cached object first. The server stores it in its own form before, as an update that
 * changes nothing is one only if the stored bytes stay the same; an object that the release does not accept stays as it is.
 */
export async function readStored(stage, object) {
  const at = pathOf(object, stage.resources);
  const key = keyOf(object, stage.resources);
  const read = async query => await stage.oracle.call({ method: 'GET', path: `${at}${query}` });
  const { status, body } = await read(`?resourceVersion=${stage.revisions.get(key)}`);
  if (status !== 200) return await read('');
  const headers = { 'Content-Type': 'application/json' };
  const put = await stage.oracle.call({ method: 'PUT', path: at, body: Buffer.from(body).toString('base64'), headers });
  if (put.status !== 200) return { status, body };
  const { metadata } = JSON.parse(put.body);
  stage.revisions.set(key, metadata.resourceVersion);
  return await read(`?resourceVersion=${metadata.resourceVersion}`);
}

/** The version that a recorded object has on this server; undefined for one that is not placed. */
export function versionOf(stage, object) {
  return stage.revisions.get(keyOf(object, stage.resources));
}
