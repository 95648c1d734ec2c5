import { printLocation } from '../../client/cli-error.js';
import { type Bypass, searchBypass } from '../../fuzz/bypass/search.js';
import { literalsOf } from '../../fuzz/run/dictionary.js';
import { isAdmissionObject, pipelineOf, type Scene } from '../../fuzz/run/pipeline.js';
import { allTargets } from '../../fuzz/targets.js';
import { printable } from '../../reports/printable.js';
import { readManifests } from '../input/read-manifests.js';
import type { Surroundings } from '../surroundings.js';

/** Ways around the webhooks, and how many calls it took to look for them. */
export interface FoundWays {
  readonly bypasses: readonly Bypass[];
  readonly calls: number;
}

interface ForbiddenSearch {
  readonly scene: () => Scene;
  /** Texts of the webhooks' sources. */
  readonly words: readonly string[];
  readonly isOver: () => boolean;
  readonly recursive: boolean;
}

/** Searches for ways around the webhooks that refuse the objects of a file. Throws CliError. */
export async function searchForbidden(
  file: string,
  { scene, words, isOver, recursive }: ForbiddenSearch,
  surroundings: Surroundings,
): Promise<FoundWays> {
  const { manifests } = await readManifests({ flag: '--forbidden', paths: [file], recursive }, surroundings);
  const { state } = scene();
  const literals = literalsOf(state.objects.filter(isAdmissionObject));
  const search = { pipeline: pipelineOf(scene), targets: allTargets(state), literals, words, isOver };
  const bypasses: Bypass[] = [];
  let calls = 0;
  for (const { object, location } of manifests) {
    const result = await searchBypass(object, search);
    bypasses.push(...result.bypasses);
    calls += result.calls;
    if (result.note !== undefined) surroundings.stderr.write(`note: ${printLocation(location)}: not searched: ${printable(result.note)}\n`);
  }
  return { bypasses, calls };
}
