import type { AuditPolicy } from '../local-apiserver/audit/audit-policy.js';

/** A field's type in Go. */
type Field =
  | { readonly goType: string; readonly is: 'string' | 'boolean' }
  | { readonly goType: string; readonly items: Field }
  | { readonly goType: string; readonly fields: Readonly<Record<string, Field>> };

const text: Field = { goType: 'string', is: 'string' };
const flag: Field = { goType: 'bool', is: 'boolean' };
const listOf = (items: Field): Field => ({ goType: `[]${items.goType}`, items });
const texts = listOf(text);
const stages = listOf({ goType: 'v1.Stage', is: 'string' });

const rule: Field = {
  goType: 'v1.PolicyRule',
  fields: {
    level: { goType: 'v1.Level', is: 'string' },
    ...{ users: texts, userGroups: texts, verbs: texts, namespaces: texts, nonResourceURLs: texts },
    resources: listOf({ goType: 'v1.GroupResources', fields: { group: text, resources: texts, resourceNames: texts } }),
    ...{ omitStages: stages, omitManagedFields: flag },
  },
};

const policy: Field = { goType: 'v1.Policy', fields: { omitStages: stages, omitManagedFields: flag, rules: listOf(rule) } };

/** A policy as it is written: fields have the types of Go, and those of a rule can be missing. */
export type WrittenPolicy = Partial<AuditPolicy>;

/** Returns the fields of a policy, or Go's message for the first one of another type. Source: apiserver apis/audit/v1/types.go. */
export function readPolicyFields(document: object): { readonly policy: WrittenPolicy } | { readonly error: string } {
  try {
    return { policy: read(document, policy, { struct: '', path: [] }) as WrittenPolicy };
  } catch (error) {
    if (error instanceof Mismatch) return { error: error.message };
    throw error;
  }
}

class Mismatch extends Error {}

interface FieldPlace {
  readonly struct: string;
  readonly path: readonly string[];
}

function read(value: unknown, field: Field, { struct, path }: FieldPlace): unknown {
  const fail = (): never => {
    throw new Mismatch(`json: cannot unmarshal ${kindOf(value)} into Go struct field ${struct}.${path.join('.')} of type ${field.goType}`);
  };
  if ('is' in field) {
    if (value === null && field.is === 'string') return '';
    return typeof value === field.is ? value : fail();
  }
  if ('items' in field) {
    return Array.isArray(value) ? value.map(item => read(item, field.items, { struct, path })) : fail();
  }
  if (typeof value !== 'object' || Array.isArray(value)) return fail();
  const own = field.goType.replace('v1.', '');
  // Unknown fields are a warning upstream.
  const known = Object.entries(value ?? {}).filter(([name, member]) => Object.hasOwn(field.fields, name) && member !== null);
  return Object.fromEntries(
    known.map(([name, member]) => [name, read(member, field.fields[name] ?? text, { struct: own, path: [...path, name] })]),
  );
}

/** A JSON value as Go's errors call it. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}
