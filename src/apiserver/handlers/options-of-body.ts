import { checkBodySize, checkedBodyType } from '../call/body.js';
import type { CallContext } from '../call/call-context.js';
import { type WriteOptions, writeOptions } from '../call/request-options.js';

/** Returns the options of a POST; throws 415 and 413 for its body first. Source: apiserver handlers/create.go createHandler. */
export function creationOptions({ call, query, server }: CallContext): WriteOptions {
  checkedBodyType(server, call);
  checkBodySize(call);
  return writeOptions(server, 'CreateOptions', query);
}

/** Returns the options of a PUT; throws 413 for its body first. Source: apiserver handlers/update.go UpdateResource. */
export function updateOptions({ call, query, server }: CallContext): WriteOptions {
  checkBodySize(call);
  return writeOptions(server, 'UpdateOptions', query);
}
