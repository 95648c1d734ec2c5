import { isMap, mapAt, stringAt, toValue, type ValueMap } from '../../go/value.js';
import { userInfo } from '../access/authentication.js';
import { askBackend } from './ask-backend.js';
import type { Passing } from './pass-on.js';

/**
 * Asks the service of an APIService for its OpenAPI v3 documents: their URLs by path, such as `apis/wares.example.com/v1`. None where the service does
 * not answer; undefined where it has no OpenAPI v3. Source: kube-aggregator pkg/controllers/openapiv3/aggregator.
 */
export async function fetchOpenApiPaths(apiService: ValueMap, passing: Passing): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    const answer = await askBackend(apiService, { path: '/openapi/v3', user: userInfo('system:aggregator', []), headers: [] }, passing);
    if (answer.status === 404) return undefined;
    const paths = answer.status === 200 ? mapAt(toValue(JSON.parse(answer.body)), 'paths') : undefined;
    return new Map(
      [...(paths ?? [])].filter(([, entry]) => isMap(entry)).map(([path, entry]) => [path, stringAt(entry, 'serverRelativeURL')]),
    );
  } catch {
    // The answer broke off, or is not what it says it is.
    return new Map();
  }
}
