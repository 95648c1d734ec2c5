import type { Report } from '../../../apiserver/report/report.js';
import { printLocation } from '../../../client/cli-error.js';
import { type Bypass, searchBypass } from '../../../fuzz/bypass/search.js';
import { isAdmissionObject, pipelineOf, type Scene } from '../../../fuzz/pipeline/pipeline.js';
import { literalsOf } from '../../../fuzz/run/dictionary.js';
import { allTargets } from '../../../fuzz/run/targets.js';
import { usableWithoutSecrets } from '../../../redaction/usable-without-secrets.js';
import { printable } from '../../../writers/printable.js';
import { type ExitCode, exitCodeOfReport, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { readManifestFiles } from '../../work/input/read-manifests.js';

/** Ways around the webhooks, and how many calls it took to look for them. */
export interface FoundWays {
  readonly bypasses: readonly Bypass[];
  readonly calls: number;
  /** Exit codes of the objects that could not be searched. */
  readonly failures: readonly ExitCode[];
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
  const { stderr } = surroundings;
  const { manifests } = await readManifestFiles({ flag: '--forbidden', paths: [file], recursive }, surroundings);
  const { state } = scene();
  const literals = literalsOf(state.objects.filter(isAdmissionObject));
  const search = { pipeline: pipelineOf(scene), targets: allTargets(state), literals, words, isOver };
  const bypasses: Bypass[] = [];
  const failures: ExitCode[] = [];
  let calls = 0;
  for (const { object, location } of manifests) {
    const result = await searchBypass(usableWithoutSecrets(object), search);
    bypasses.push(...result.bypasses);
    calls += result.calls;
    const { obstacle, note } = result;
    if (obstacle !== undefined) {
      failures.push(obstacle.report === undefined ? exitCodes.input : exitCodeOfObstacle(obstacle.report));
      stderr.write(`error: ${printLocation(location)}: cannot be searched: ${printable(obstacle.reason)}\n`);
    } else if (note !== undefined) stderr.write(`note: ${printLocation(location)}: ${note}\n`);
  }
  return { bypasses, calls, failures };
}

/** An object that the API server itself refuses is unusable input; a webhook that fails has exit codes of its own. */
function exitCodeOfObstacle(report: Report): ExitCode {
  const code = exitCodeOfReport(report);
  return code === exitCodes.refused ? exitCodes.input : code;
}
