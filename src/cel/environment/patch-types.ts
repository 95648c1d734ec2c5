import { memoize } from '../../kubernetes/memoize.js';
import { type FunctionDeclaration, fn, overload, unary } from '../check/declarations.js';
import type { StructDeclaration, TypeProvider } from '../check/type-provider.js';
import { dispatcherOf } from '../evaluate/dispatcher.js';
import { textInside } from '../values/found.js';
import { isPatchTypeName, jsonPatchTypeName } from '../values/patch-values.js';
import { DYN, STRING, structType, type Type } from '../values/type.js';
import { noSuchOverload } from '../values/value.js';
import type { Environment } from './environment.js';

/**
 * The environment of mutations, with additional declarations: the types `Object`, `Object.<field>...` and `JSONPatch`, and
 * `jsonpatch.escapeKey`. Source: apiserver admission/plugin/cel/compile.go hasPatchTypes.
 */
export function withPatchTypes(environment: Environment): Environment {
  return { ...environment, ...withEscapeKey(environment.functions), types: patchTypeProvider(environment.types) };
}

const escapeKey: FunctionDeclaration = fn(
  'jsonpatch.escapeKey',
  overload(
    'string_jsonpatch_escapeKey_string',
    [STRING],
    STRING,
    unary(value => {
      const text = textInside(value);
      return text === undefined ? noSuchOverload(value) : text.replace(/[~/]/g, found => (found === '~' ? '~0' : '~1'));
    }),
  ),
);

/** Memoized, because the environments of an API server share their functions. */
const withEscapeKey = memoize((shared: Environment['functions']): Pick<Environment, 'functions' | 'dispatcher'> => {
  const functions = new Map(shared).set(escapeKey.name, escapeKey);
  return { functions, dispatcher: dispatcherOf(functions.values()) };
});

function patchTypeProvider(types: TypeProvider): TypeProvider {
  const get = (name: string): StructDeclaration | undefined => (isPatchTypeName(name) ? declarationOf(name) : types.structs.get(name));
  return { ...types, structs: { get, has: name => isPatchTypeName(name) || types.structs.has(name) } };
}

/** Objects accept any field name, because expressions are compiled without a schema. */
function declarationOf(name: string): StructDeclaration {
  return { type: structType(name), fields: name === jsonPatchTypeName ? operationFields : anyField };
}

const anyField: StructDeclaration['fields'] = { get: () => DYN };

/** The type of a missing field has no name. */
const NO_TYPE: Type = { kind: 'opaque', name: '', parameters: [], traits: 0, nullable: false };

const operationFields: StructDeclaration['fields'] = {
  get: name => (name === 'value' ? DYN : ['op', 'path', 'from'].includes(name) ? STRING : NO_TYPE),
};
