import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import { NotReproduced } from '../admission/not-reproduced.js';
import { checkOtherPath } from '../endpoints/other-paths.js';
import { servedBy } from '../endpoints/served-resources.js';
import type { Answer } from '../report.js';

/** Returns the document at a path without a resource. Throws the 404, 405, 406 or 415, or NotReproduced where only a running server has it. */
export async function otherPathAnswer(call: ApiCall, parts: readonly string[], state: ClusterState): Promise<Answer> {
  checkOtherPath(parts, servedBy(state));
  const { documentOf } = await state.server.otherForms();
  const answer = await documentOf(call, state);
  if (answer === undefined) throw new NotReproduced(`the API server's response for /${parts.join('/')} is not reproduced`);
  return answer;
}
