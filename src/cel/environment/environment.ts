import { type FunctionDeclaration, mergeFunctions, type VariableDeclaration } from '../check/declarations.js';
import type { StructDeclaration, TypeProvider } from '../check/type-provider.js';
import { type Dispatcher, dispatcherOf } from '../evaluate/dispatcher.js';
import { authorizerFunctions, authorizerSelectorFunctions } from '../library/authorizer.js';
import { cidrFunctions } from '../library/cidr.js';
import { ipFunctions } from '../library/ip.js';
import { kubernetesListFunctions } from '../library/kubernetes-lists.js';
import { listFunctions } from '../library/lists.js';
import { formatFunctions } from '../library/named-formats.js';
import { optionalFunctions } from '../library/optional.js';
import { quantityFunctions } from '../library/quantity.js';
import { regexFunctions } from '../library/regex-functions.js';
import { semverFunctions } from '../library/semver.js';
import { setFunctions } from '../library/sets.js';
import { standardFunctions } from '../library/standard-functions.js';
import { standardOperators } from '../library/standard-operators.js';
import { stringFunctions } from '../library/strings.js';
import { timeFunctions } from '../library/time-functions.js';
import { mapInsertFunctions } from '../library/two-variable.js';
import { urlFunctions } from '../library/urls.js';
import { listMacros, optionalMacros, twoVariableMacros } from '../syntax/extension-macros.js';
import { type Macro, standardMacros } from '../syntax/macros.js';
import { typeProvider, typeVariables } from './standard-types.js';

/** Declarations available to an expression: variables, functions, macros and types. */
export interface Environment {
  readonly variables: ReadonlyMap<string, VariableDeclaration>;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly macros: readonly Macro[];
  readonly types: TypeProvider;
  readonly dispatcher: Dispatcher;
}

/** Options for one kind of expression. */
export interface EnvironmentParts {
  readonly variables: readonly VariableDeclaration[];
  readonly structs: Iterable<readonly [string, StructDeclaration]>;
  /** Added to the functions of every environment. */
  readonly macros?: readonly Macro[];
}

/** The API server's environment with additional variables. Source: apiserver pkg/cel/environment/base.go for version 1.36. */
export function kubernetesEnvironment({ variables, structs, macros = [] }: EnvironmentParts): Environment {
  const common = libraries();
  return {
    ...common,
    macros: [...common.macros, ...macros],
    variables: new Map([...typeVariables, ...variables].map(variable => [variable.name, variable])),
    types: typeProvider(structs),
  };
}

type Libraries = Pick<Environment, 'functions' | 'macros' | 'dispatcher'>;

let known: Libraries | undefined;

function libraries(): Libraries {
  if (known === undefined) {
    const functions = mergeFunctions(declarations());
    known = { functions, macros: allMacros, dispatcher: dispatcherOf(functions.values()) };
  }
  return known;
}

const allMacros: readonly Macro[] = [...standardMacros, ...optionalMacros, ...twoVariableMacros, ...listMacros];

/** In the order in which the libraries are added, which determines the order of overloads and the numbers of type variables. */
function declarations(): readonly FunctionDeclaration[] {
  return [
    ...standardOperators,
    ...standardFunctions,
    ...timeFunctions,
    ...urlFunctions,
    ...regexFunctions,
    ...kubernetesListFunctions,
    ...authorizerFunctions,
    ...optionalFunctions,
    ...quantityFunctions,
    ...stringFunctions,
    ...setFunctions,
    ...ipFunctions,
    ...cidrFunctions,
    ...formatFunctions,
    ...authorizerSelectorFunctions,
    ...mapInsertFunctions,
    ...semverFunctions,
    ...listFunctions,
  ];
}
