import type { ApiServer } from '../../kubernetes/api-server.js';
import { memoize } from '../../kubernetes/memoize.js';
import { excluding, type FieldFilter, keepAll } from '../patches/structured-merge/field-filter.js';
import { pathOfElement } from '../patches/structured-merge/field-set.js';
import { kindDefinitionOf } from '../registry/kind-definition.js';

/** Endpoint whose writes reset some fields. */
export interface ResettingEndpoint {
  readonly group: string;
  readonly resource: string;
  /** Empty for the main resource. */
  readonly subresource: string;
  readonly custom: boolean;
  /** Whether the resource has a status subresource (in the version of the request, for custom resources). */
  readonly hasStatus: boolean;
}

/**
 * Returns the fields that writes at an endpoint do not own, because the endpoint resets them: mostly the status at the main resource and
 * the spec at the status. Source: GetResetFields and GetResetFieldsFilter of the strategies under kubernetes pkg/registry.
 */
export function resetFields(server: ApiServer, endpoint: ResettingEndpoint): FieldFilter {
  const { subresource, custom, hasStatus } = endpoint;
  const named = kindDefinitionOf(server, endpoint).resetFields?.[subresource];
  const own = typeof named === 'function' ? named(server) : named;
  if (own !== undefined) return filterOf(own);
  if (subresource === '') return hasStatus ? withoutStatus : keepAll;
  if (subresource !== 'status') return keepAll;
  return custom && server.since('v1.36') ? withoutSpecAndMetadata : withoutSpec;
}

const withoutStatus = excluding(pathOfElement('status'));
const withoutSpec = excluding(pathOfElement('spec'));
const withoutSpecAndMetadata = excluding(pathOfElement('spec'), pathOfElement('metadata'));

const filterOf = memoize(
  (paths: readonly string[]): FieldFilter =>
    paths.length === 0 ? keepAll : excluding(...paths.map(path => pathOfElement(...path.split('.')))),
);
