import { type Type, typeOfType } from '../values/type.js';
import type { VariableDeclaration } from './declarations.js';

/** What an environment knows of types: those with names, and the fields of those that have any. */
export interface TypeProvider {
  /** The type a name stands for in a constructor or a comparison; its identifiers are declared as `type(T)`. */
  readonly structs: Pick<ReadonlyMap<string, StructDeclaration>, 'get' | 'has'>;
  /** Types that exist at run time under their name. */
  readonly idents: ReadonlyMap<string, Type>;
  /** Constants: values of enumerations. */
  readonly enums: ReadonlyMap<string, bigint>;
}

export interface StructDeclaration {
  readonly type: Type;
  readonly fields: Pick<ReadonlyMap<string, Type>, 'get'>;
}

/** What a name means when no variable has it. Source: cel-go checker Env.LookupIdent. */
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
