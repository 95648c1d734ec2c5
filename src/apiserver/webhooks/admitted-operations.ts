import type { Resource } from '../../kubernetes/resource-table.js';

/** Operation that reaches admission, on a resource or on one of its subresources. */
export interface AdmittedOperation {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  /** Empty for the resource itself. */
  readonly subresource: string;
}

/** Returns the operations on a resource and its subresources that reach admission; reads never do. */
export function admittedOperations({ verbs, subresources }: Resource): AdmittedOperation[] {
  const main = byVerb.flatMap(([verb, operation]) => (verbs.includes(verb) ? [{ operation, subresource: '' }] : []));
  const others = subresources.flatMap(({ name, verbs: own }): AdmittedOperation[] => {
    if (streams.has(name)) return [{ operation: 'CONNECT', subresource: name }];
    return byVerb.flatMap(([verb, operation]) => (own.includes(verb) ? [{ operation, subresource: name }] : []));
  });
  return [...main, ...others];
}

const byVerb = [
  ['create', 'CREATE'],
  ['update', 'UPDATE'],
  ['delete', 'DELETE'],
] as const;

const streams: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'proxy']);
