import type { RequestedUser } from '../../../src/kubernetes/api-call.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** One request. `{id}` in any of its strings is replaced by a unique word. */
export interface SceneRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  /** A body that is not JSON, or in an unusual notation; overrides `body`. */
  readonly text?: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly user?: RequestedUser;
}

/** A call and the state before it: everything needed to reproduce a difference. */
export interface Scene {
  /** Requests that create the state, in order. */
  readonly setup: readonly SceneRequest[];
  readonly call: SceneRequest;
  /** Milliseconds between setup and call, for objects that the server reads from its caches. */
  readonly pause?: number;
  /** Responses of webhooks by path and in order; a webhook without one allows. */
  readonly replies?: Readonly<Record<string, readonly JsonObject[]>>;
}

/** Returns the requests with `{id}` replaced. */
export function withId(scene: Scene, id: string): Scene {
  return JSON.parse(JSON.stringify(scene).replaceAll('{id}', id)) as Scene;
}

/** The bytes of a request; undefined without a body. */
export function bytesOf({ body, text }: SceneRequest): Buffer | undefined {
  if (text !== undefined) return Buffer.from(text);
  return body === undefined ? undefined : Buffer.from(JSON.stringify(body));
}

export const json = 'application/json';
export const mergePatch = 'application/merge-patch+json';
export const jsonPatch = 'application/json-patch+json';
export const strategicPatch = 'application/strategic-merge-patch+json';
export const applyPatch = 'application/apply-patch+yaml';

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of a JSON object; undefined when there is none. */
export function memberOf(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  let at = value;
  for (const key of keys) at = isObject(at) ? at[key] : undefined;
  return at;
}
