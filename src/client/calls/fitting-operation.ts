import { isConnect } from '../../apiserver/endpoints/served-resources.js';
import type { Resource, Subresource } from '../../kubernetes/resource-table.js';
import { CliError } from '../cli-error.js';
import { type Operation, operations } from '../operations.js';

/** Returns the subresource of a call; undefined for the object itself. Throws CliError when resource, subresource and operation do not match. */
export function fittingSubresource(resource: Resource, name: string | undefined, operation: Operation): Subresource | undefined {
  if (name === undefined) {
    if (operation !== 'connect') return undefined;
    throw new CliError('usage', '--operation connect needs a subresource to connect to', {
      suggestions: streams(resource).map(stream => `pass --subresource ${stream}`),
    });
  }
  const subresource = resource.subresources.find(candidate => candidate.name === name);
  if (subresource === undefined) throw unknownSubresource(resource, name);
  const possible = operationsOn(subresource);
  if (possible.includes(operation)) return subresource;
  throw new CliError('usage', `--operation ${operation} cannot be used with ${resource.resource}/${name}`, {
    suggestions: possible.length === 0 ? ['omit it: read requests do not reach webhooks'] : [`pass --operation ${possible.join(' or ')}`],
  });
}

function streams({ subresources }: Resource): string[] {
  return subresources.filter(isConnect).map(({ name }) => name);
}

function unknownSubresource({ resource, subresources }: Resource, name: string): CliError {
  const known = subresources.map(subresource => subresource.name);
  return new CliError('usage', `${resource} have no subresource ${JSON.stringify(name)}`, {
    suggestions: [known.length === 0 ? 'omit --subresource' : `use one of ${known.join(', ')}`],
  });
}

/** Verbs of the API server, by operation; no subresource has deletecollection. */
const verbs: Readonly<Partial<Record<Operation, string>>> = {
  create: 'create',
  update: 'update',
  patch: 'patch',
  apply: 'patch',
  delete: 'delete',
};

/** Returns the operations that a subresource serves: streams serve CONNECT only. */
function operationsOn(subresource: Subresource): Operation[] {
  if (isConnect(subresource)) return ['connect'];
  return operations.filter(operation => subresource.verbs.includes(verbs[operation] ?? 'none'));
}
