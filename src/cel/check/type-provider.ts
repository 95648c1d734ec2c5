import { type Type, typeOfType } from '../values/type.js';
import type { VariableDeclaration } from './declarations.js';

/** Types of an environment: named types, and the fields of struct types. */
export interface TypeProvider {
  /** Types by the name used in a constructor or comparison; the identifier is declared as `type(T)`. */
  readonly structs: Pick<ReadonlyMap<string, StructDeclaration>, 'get' | 'has'>;
  /** Types available at run time by name. */
  readonly idents: ReadonlyMap<string, Type>;
  /** Enum constants. */
  readonly enums: ReadonlyMap<string, bigint>;
}

export interface StructDeclaration {
  readonly type: Type;
  readonly fields: Pick<ReadonlyMap<string, Type>, 'get'>;
}

/** Resolves a name that is not a variable. Source: cel-go checker Env.LookupIdent. */
export function findTypeIdent(provider: TypeProvider, name: string): VariableDeclaration | undefined {
  const struct = provider.structs.get(name);
  if (struct !== undefined) return { name, type: typeOfType(struct.type) };
  const ident = provider.idents.get(name);
  if (ident !== undefined) return { name, type: typeOfType(ident) };
  const value = provider.enums.get(name);
  return value === undefined ? undefined : { name, type: intType(provider), value };
}

function intType(provider: TypeProvider): Type {
  const type = provider.idents.get('int');
  if (type === undefined) throw new Error('an environment without int');
  return type;
}
