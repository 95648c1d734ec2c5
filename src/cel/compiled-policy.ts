import type { ApiServer } from '../kubernetes/api-server.js';
import { type AdmissionNames, policyEnvironment } from './environment/admission.js';
import { type Compilation, compileExpression } from './program/compile.js';
import { compileOrAbort } from './program/compile-or-abort.js';
import { JSON_PATCH, OBJECT } from './values/patch-values.js';
import { BOOL, DYN, listType, mapType, NULL, STRING, sameType, type Type, typeText } from './values/type.js';

/** An expression of a policy, by its allowed result types. */
export interface PolicyExpression extends Omit<AdmissionNames, 'variables' | 'hasPatchTypes'> {
  readonly expression: string;
  readonly comesTo: keyof typeof wanted;
}

const wanted = {
  condition: [BOOL],
  message: [STRING],
  annotation: [STRING, NULL],
  object: [OBJECT],
  patches: [listType(JSON_PATCH)],
  anything: undefined,
} satisfies Record<string, readonly Type[] | undefined>;

/** Compiles the expressions of one policy, which may use the variables declared before them. */
export interface PolicyCompiler {
  readonly compile: (expression: PolicyExpression) => Compilation;
  /** Compiles a variable. Later expressions may use it even if it does not compile. */
  readonly declare: (name: string, expression: PolicyExpression) => Compilation;
}

/**
 * Returns a compiler for a policy, with or without variables. It throws AbortedConnection for expressions that make the API server panic.
 */
export function policyCompiler(server: ApiServer, hasVariables: boolean): PolicyCompiler {
  const variables = new Map<string, Type>();
  const compile = (expression: PolicyExpression): Compilation => compiled(server, expression, hasVariables ? variables : undefined);
  return {
    compile,
    declare: (name, expression) => {
      const compilation = compile(expression);
      variables.set(name, compilation.outcome === 'compiled' ? declaredType(compilation.program.type) : DYN);
      return compilation;
    },
  };
}

/** Source: apiserver admission/plugin/cel/compile.go CompileCELExpression. */
function compiled(
  server: ApiServer,
  { expression, comesTo, ...names }: PolicyExpression,
  variables: ReadonlyMap<string, Type> | undefined,
): Compilation {
  const refusalOf = (type: Type): string | undefined => typeRefusal(type, wanted[comesTo]);
  const hasPatchTypes = comesTo === 'object' || comesTo === 'patches';
  return compileOrAbort(() =>
    compileExpression(expression, policyEnvironment(server, { use: 'new', ...names, variables, hasPatchTypes }), refusalOf),
  );
}

function typeRefusal(type: Type, types: readonly Type[] | undefined): string | undefined {
  if (types === undefined || types.some(one => sameType(type, one))) return undefined;
  const texts = types.map(typeText);
  return `must evaluate to ${texts.length === 1 ? texts[0] : `one of [${texts.join(' ')}]`} but got ${typeText(type)}`;
}

const plain: readonly Type['kind'][] = ['any', 'bool', 'bytes', 'double', 'duration', 'int', 'null', 'string', 'timestamp', 'uint'];

/** The declared type of a variable; dyn for types without a declaration. Source: convertCelTypeToDeclType. */
function declaredType(type: Type): Type {
  const [first, second] = type.parameters;
  if (type.kind === 'list' && first !== undefined) return listType(declaredType(first));
  if (type.kind === 'map' && first !== undefined && second !== undefined) return mapType(declaredType(first), declaredType(second));
  return plain.includes(type.kind) && !type.nullable ? type : DYN;
}
