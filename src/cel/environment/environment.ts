import type { ApiServer } from '../../kubernetes/api-server.js';
import type { KubernetesMinor } from '../../kubernetes/kubernetes-version.js';
import { lazy, memoize } from '../../kubernetes/memoize.js';
import { type FunctionDeclaration, mergeFunctions, type VariableDeclaration } from '../check/declarations.js';
import type { StructDeclaration, TypeProvider } from '../check/type-provider.js';
import { type Dispatcher, dispatcherOf } from '../evaluate/dispatcher.js';
import { authorizerFunctions, authorizerSelectorFunctions } from '../library/authorizer.js';
import { inCelGo29 } from '../library/cel-go-29.js';
import { inCelGo33 } from '../library/cel-go-33.js';
import { cidrFunctions, isMaskFunction } from '../library/cidr.js';
import { ipFunctions } from '../library/ip.js';
import { includesFunction, kubernetesListFunctions } from '../library/kubernetes-lists.js';
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
  /** Minor version of cel-go. */
  readonly celGo: CelGo;
}

export type CelGo = 26 | 29 | 33;

/** Options for one kind of expression. */
export interface EnvironmentParts {
  readonly variables: readonly VariableDeclaration[];
  readonly structs: Iterable<readonly [string, StructDeclaration]>;
  /** Added to the functions of every environment. */
  readonly macros?: readonly Macro[];
  readonly functions?: readonly FunctionDeclaration[];
  /** Absent: expressions are stored. */
  readonly use?: ExpressionUse | undefined;
}

/** Origin of an expression: new ones can use the features of the previous minor, stored ones all features of the API server. */
export type ExpressionUse = 'new' | 'stored';

/** The API server's environment with additional variables. Source: apiserver pkg/cel/environment/base.go. */
export function kubernetesEnvironment(
  server: ApiServer,
  { variables, structs, macros = [], functions = [], use = 'stored' }: EnvironmentParts,
): Environment {
  const from = effectiveUse(server, use);
  const common = functions.length === 0 ? libraries(server)[from]() : librariesOf([...declarations(server, from), ...functions]);
  return {
    ...common,
    macros: [...common.macros, ...macros],
    variables: new Map([...typeVariables, ...variables].map(variable => [variable.name, variable])),
    types: typeProvider(structs),
    celGo: celGoOf(server),
  };
}

/** Returns the minor version of cel-go of an API server. */
export function celGoOf(server: ApiServer): CelGo {
  if (server.since('v1.38')) return 33;
  return server.since('v1.37') ? 29 : 26;
}

type Libraries = Pick<Environment, 'functions' | 'macros' | 'dispatcher'>;

const libraries = memoize((server: ApiServer) => ({
  new: lazy(() => librariesOf(declarations(server, 'new'))),
  stored: lazy(() => librariesOf(declarations(server, 'stored'))),
}));

function librariesOf(declared: readonly FunctionDeclaration[]): Libraries {
  const functions = mergeFunctions(declared);
  const macros = declared.some(each => listFunctions.includes(each)) ? [...commonMacros, ...listMacros] : commonMacros;
  return { functions, macros, dispatcher: dispatcherOf(functions.values()) };
}

/** Libraries by the minor that added them, if the oldest supported minor does not offer them to new expressions. */
const addedLibraries: readonly { readonly by: KubernetesMinor; readonly functions: readonly FunctionDeclaration[] }[] = [
  { by: 'v1.34', functions: listFunctions },
  { by: 'v1.37', functions: [includesFunction] },
  { by: 'v1.38', functions: [isMaskFunction] },
];

/** New expressions are those of a minor without a library of its own that stored expressions have. */
export function effectiveUse(server: ApiServer, use: ExpressionUse): ExpressionUse {
  return addedLibraries.some(({ by }) => by === server.minor) ? use : 'stored';
}

const commonMacros: readonly Macro[] = [...standardMacros, ...optionalMacros, ...twoVariableMacros];

/** In the order in which the libraries are added, which determines the order of overloads and the numbers of type variables. */
function declarations(server: ApiServer, use: ExpressionUse): readonly FunctionDeclaration[] {
  const all = [
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
    ...formatFunctions(server),
    ...authorizerSelectorFunctions,
    ...mapInsertFunctions,
    ...semverFunctions,
    ...addedLibraries.flatMap(({ by, functions }) => ((use === 'new' && by === server.minor) || !server.since(by) ? [] : functions)),
  ];
  const celGo = celGoOf(server);
  if (celGo === 26) return all;
  return celGo === 29 ? inCelGo29(all) : inCelGo33(inCelGo29(all));
}
