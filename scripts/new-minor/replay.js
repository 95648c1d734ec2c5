// Replays recorded calls on an API server.

import { placeObjects, prepareStage, putBack, readStored, versionOf } from './stage.js';
import { keyOf } from './stored-values.js';

/** Replays cases, those of equal clusters together. Returns what the server answered by `id`, or `{ reason }` for a case that cannot be set up on it. */
export async function replayCases(oracle, cases) {
  const definitions = new Map(cases.flatMap(each => each.definitions.map(crd => [crd.metadata.name, crd])));
  const stage = await prepareStage(oracle, [...definitions.values()]);
  const keyed = cases.map(each => ({ each, cluster: JSON.stringify(each.cluster ?? null) }));
  const outcomes = new Map();
  for (const { each } of keyed.sort((a, b) => (a.cluster < b.cluster ? -1 : Number(a.cluster > b.cluster))))
    outcomes.set(each.id, await replayCase(stage, each));
  return outcomes;
}

async function replayCase(stage, recorded) {
  const { oracle, resources } = stage;
  const [stored] = storedObjects(recorded);
  const objects = [...clusterObjects(recorded), ...storedObjects(recorded)];
  const unknown = objects.find(object => keyOf(object, resources) === undefined);
  if (unknown !== undefined) return { reason: `${unknown.apiVersion} ${unknown.kind} is not served` };
  await placeObjects(stage, objects);
  const read = stored === undefined ? undefined : await readStored(stage, stored);
  if (read !== undefined && read.status !== 200 && read.body.includes('"details"'))
    return { reason: `the stored ${stored.kind} cannot be read: ${JSON.parse(read.body).message}` };
  const versions = new Map(objects.map(object => [object.metadata.resourceVersion, versionOf(stage, object)]));
  const call = callWithVersions(recorded.call, versions);
  const placed = (recorded.cluster?.objects ?? []).map(object => withVersion(object, versionOf(stage, object)));
  const { revision } = await oracle.read(true);
  const sent = { ...(await readRequest(oracle, call)), replies: repliesOf(recorded.reviews ?? []) };
  const { reviews, ...answer } = await oracle.call(sent);
  const again = isRefusalOfSeveral(answer) ? await callAgain(oracle, sent) : [];
  await putBack(stage, revision);
  const ofCaller = reviews.filter(review => usernameOf(review) === callerOf(call));
  return {
    ...{ call, objects: placed, answer, again },
    stored: read?.status === 200 ? JSON.parse(read.body) : storedAs(recorded.stored, versions),
    reviews: reviewsInOrder(withReplies(ofCaller, sent.replies), recorded.cluster),
  };
}

/** The object of the call, and the object that a configuration had before its call. A Scale is stored in its parent. */
function storedObjects({ stored, before }) {
  return [stored, before].filter(object => object?.kind !== undefined && object.kind !== 'Scale');
}

/** Objects of the cluster, and the service account of each namespace. */
function clusterObjects({ cluster = {} }) {
  const { objects = [], mutating = [], validating = [] } = cluster;
  const namespaces = objects.filter(({ kind, apiVersion }) => kind === 'Namespace' && apiVersion === 'v1');
  const accounts = namespaces.map(({ metadata: { name } }) => ({
    ...{ apiVersion: 'v1', kind: 'ServiceAccount' },
    metadata: { name: 'default', namespace: name },
  }));
  return [...accounts, ...objects, ...mutating, ...validating];
}

/** The call with the versions that its objects have on this server, by the recorded ones. */
export function callWithVersions(call, versions) {
  const exchange = text =>
    text?.replace(/(resourceVersion\\?["']?\s*[:=]\s*\\?["']?)(\d+)/g, (all, before, version) => {
      const now = versions.get(version);
      return now === undefined ? all : `${before}${now}`;
    });
  return { ...call, path: exchange(call.path), ...(call.body === undefined ? {} : { body: exchange(call.body) }) };
}

/** The request of a call in the form of oracle.py. */
async function readRequest(oracle, call) {
  const { method, path, contentType, userAgent, user, token, headers } = call;
  const body = bodyOf(call);
  return {
    ...{ method, path, user },
    body: body?.toString('base64'),
    headers: {
      ...(userAgent === undefined ? {} : { 'User-Agent': userAgent }),
      ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${await createToken(oracle, token)}` }),
      ...headers,
    },
  };
}

function bodyOf({ body, bodyBase64, bodyPattern }) {
  if (bodyBase64 !== undefined) return Buffer.from(bodyBase64, 'base64');
  if (bodyPattern !== undefined)
    return Buffer.from(`${bodyPattern.prefix}${bodyPattern.repeat.repeat(bodyPattern.count)}${bodyPattern.suffix}`);
  return body === undefined ? undefined : Buffer.from(body);
}

async function createToken(oracle, { namespace, serviceAccount, boundTo }) {
  const boundObjectRef = boundTo && { apiVersion: 'v1', ...boundTo };
  const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [], boundObjectRef } };
  const { body } = await oracle.call({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${serviceAccount}/token`,
    headers: { 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify(asked)).toString('base64'),
  });
  return JSON.parse(body).status.token;
}

/** Recorded answers of the webhooks, by path and in order. */
function repliesOf(reviews) {
  const answered = reviews.filter(({ reply }) => reply?.kind === 'http');
  return Object.fromEntries(
    answered.map(({ path }) => [path.split('?')[0], answered.filter(each => each.path === path).map(({ reply }) => reply)]),
  );
}

/** A refusal for several reasons may have another order each time. */
function isRefusalOfSeveral({ status, body }) {
  return status >= 400 && body.includes(', ');
}

async function callAgain(oracle, sent) {
  const bodies = [];
  for (let i = 0; i < 5; i += 1) bodies.push((await oracle.call(sent)).body);
  return bodies;
}

function callerOf({ user, token }) {
  if (token !== undefined) return `system:serviceaccount:${token.namespace}:${token.serviceAccount}`;
  return user?.username ?? 'kubernetes-admin';
}

function usernameOf({ body }) {
  return JSON.parse(body).request.userInfo?.username;
}

/** Reviews with the answers that their webhooks gave, as oracle.py gives them; without answers if all webhooks of the case allow. */
export function withReplies(reviews, replies) {
  if (Object.keys(replies).length === 0) return reviews;
  const body = '{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": {"uid": "{{uid}}", "allowed": true}}';
  const allowed = { kind: 'http', status: 200, headers: { 'Content-Type': 'application/json' }, body };
  return reviews.map((review, i) => {
    const earlier = reviews.slice(0, i).filter(({ path }) => path === review.path).length;
    return { ...review, reply: replies[review.path.split('?')[0]]?.[earlier] ?? allowed };
  });
}

/** Reviews with the phases and names of their webhooks. Those of validating webhooks, which run at the same time, are in the order of their paths. */
export function reviewsInOrder(reviews, { mutating = [], validating = [] } = {}) {
  const namesOf = configurations =>
    new Map(configurations.flatMap(({ webhooks }) => webhooks.map(({ name, clientConfig: { url } }) => [pathOfUrl(url), name])));
  const [mutatingNames, names] = [namesOf(mutating), namesOf([...mutating, ...validating])];
  const marked = reviews.map(each => {
    const at = each.path.split('?')[0];
    return { phase: mutatingNames.has(at) ? 'mutating' : 'validating', webhook: names.get(at), ...each };
  });
  const rounds = marked.map((_, i) => marked.slice(0, i + 1).filter(({ phase }, j) => phase !== (marked[j - 1]?.phase ?? '')).length);
  return marked
    .map((each, i) => ({ each, round: rounds[i] }))
    .sort(
      (a, b) =>
        a.round - b.round || (a.each.phase === 'validating' ? (a.each.path < b.each.path ? -1 : Number(a.each.path > b.each.path)) : 0),
    )
    .map(({ each }) => each);
}

function pathOfUrl(url = '') {
  return url.replace(/^https:\/\/[^/]+|[?].*$/g, '');
}

/** A stored object that cannot be read on its own, such as a Scale, with the version of its parent. */
function storedAs(stored, versions) {
  return stored === null || stored === undefined ? null : withVersion(stored, versions.get(stored.metadata.resourceVersion));
}

function withVersion(object, version) {
  return version === undefined ? object : { ...object, metadata: { ...object.metadata, resourceVersion: version } };
}
