import { isObject, type Json, type JsonObject, type Scene, type SceneRequest } from './scene.js';

/** The smallest scene, found greedily, for which `fails` stays true; asks at most `limit` times. */
export async function shrink(scene: Scene, fails: (scene: Scene) => Promise<boolean>, limit = 250): Promise<Scene> {
  let smallest = scene;
  let asked = 0;
  for (let improved = true; improved; ) {
    improved = false;
    for (const smaller of smallerScenes(smallest)) {
      if (asked >= limit) return smallest;
      asked += 1;
      if (!(await fails(smaller))) continue;
      smallest = smaller;
      improved = true;
      break;
    }
  }
  return smallest;
}

function* smallerScenes(scene: Scene): Generator<Scene> {
  const { setup, call, replies } = scene;
  for (let i = setup.length - 1; i >= 0; i -= 1) yield { ...scene, setup: setup.filter((_, at) => at !== i) };
  if (replies !== undefined) for (const smaller of smallerValues(replies as unknown as Json)) yield { ...scene, replies: smaller as never };
  for (const smaller of smallerRequests(call)) yield { ...scene, call: smaller };
  for (const [i, request] of setup.entries()) {
    for (const smaller of smallerRequests(request)) yield { ...scene, setup: setup.with(i, smaller) };
  }
}

function* smallerRequests(request: SceneRequest): Generator<SceneRequest> {
  const { user, headers, body, path } = request;
  const { user: _user, ...withoutUser } = request;
  if (user !== undefined) yield withoutUser;
  for (const name of Object.keys(headers ?? {})) {
    yield { ...request, headers: Object.fromEntries(Object.entries(headers ?? {}).filter(([key]) => key !== name)) };
  }
  const [plain = '', query] = path.split('?', 2);
  const pairs = query?.split('&') ?? [];
  for (const [i] of pairs.entries()) {
    const kept = pairs.filter((_, at) => at !== i).join('&');
    yield { ...request, path: kept === '' ? plain : `${plain}?${kept}` };
  }
  if (request.text === undefined && body !== undefined) for (const smaller of smallerValues(body)) yield { ...request, body: smaller };
}

/** The value with one member or item less, outer ones first. */
function* smallerValues(value: Json): Generator<Json> {
  if (typeof value === 'string' && value.length > 40) yield value.slice(0, value.length / 2);
  if (Array.isArray(value)) {
    if (value.length > 8) yield value.slice(0, value.length / 2);
    for (let i = value.length - 1; i >= 0; i -= 1) yield value.toSpliced(i, 1);
    for (const [i, item] of value.entries()) for (const smaller of smallerValues(item)) yield value.with(i, smaller);
  }
  if (!isObject(value)) return;
  for (const key of Object.keys(value).reverse()) yield without(value, key);
  for (const [key, member] of Object.entries(value)) for (const smaller of smallerValues(member)) yield { ...value, [key]: smaller };
}

function without(object: JsonObject, key: string): JsonObject {
  const { [key]: _left, ...others } = object;
  return others;
}
