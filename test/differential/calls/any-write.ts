import type { Random } from '../random.js';
import { jsonPatchOf, mergePatchOf } from './changes.js';
import { applyPatch, type JsonObject, jsonPatch, mergePatch, type SceneRequest, strategicPatch } from './scene.js';

/** An update of a stored object. */
export interface Write {
  readonly manifest: JsonObject;
  readonly next: JsonObject;
  /** Path with options, for all but an apply. */
  readonly target: string;
  /** Path with options for an apply. */
  readonly applyTarget: () => string;
}

/** Returns a PUT, a patch of any type, or an apply that changes an object. */
export function anyWrite(r: Random, { manifest, next, target, applyTarget }: Write): SceneRequest {
  const patch = (contentType: string, body: SceneRequest['body'] = null): SceneRequest => ({
    method: 'PATCH',
    path: target,
    contentType,
    body,
  });
  return r.pick([
    () => ({ method: 'PUT', path: target, body: next }),
    () => patch(mergePatch, mergePatchOf(manifest, next)),
    () => patch(strategicPatch, mergePatchOf(manifest, next)),
    () => patch(jsonPatch, jsonPatchOf(manifest, next)),
    () => ({ ...patch(applyPatch, next), path: applyTarget() }),
  ])();
}
