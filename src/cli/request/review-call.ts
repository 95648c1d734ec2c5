import { type CapturedReview, callOfReview } from '../../apiserver/replay-review.js';
import { queryOf } from '../../client/calls/call-path.js';
import { CliError } from '../../client/cli-error.js';
import { writeValue } from '../../go/json/write.js';
import { isMap, mapAt, stringAt, type Value } from '../../go/value.js';
import type { ApiCall } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';

/** Returns an API call that leads to a captured review today. Throws CliError for a review that does not show its call. */
export function callFromReview(server: ApiServer, captured: CapturedReview): ApiCall {
  const { request } = captured;
  const call = callOfReview(server, captured);
  const options = mapAt(request, 'options');
  if (stringAt(request, 'operation') === 'CONNECT') {
    throw new CliError('not-there-yet', 'a review of a CONNECT does not show the query of its call', {
      suggestions: ['pass --operation connect with a manifest'],
    });
  }
  const isDeletion = call.method === 'DELETE';
  const body: Value | undefined = isDeletion ? options : request.get('object');
  if (!isDeletion && !isMap(body))
    throw new CliError('invalid-manifest', 'the review has no object', { suggestions: ['pass a whole review'] });
  const query = queryOf({
    dryRun: request.get('dryRun') === true ? 'All' : undefined,
    fieldManager: unlessEmpty(stringAt(options, 'fieldManager')),
    fieldValidation: unlessEmpty(stringAt(options, 'fieldValidation')),
  });
  return {
    ...call,
    path: call.path + (isDeletion ? '' : query),
    contentType: 'application/json',
    ...(body === undefined || body === null ? {} : { body: Buffer.from(writeValue(body, 'kept')) }),
  };
}

function unlessEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}
