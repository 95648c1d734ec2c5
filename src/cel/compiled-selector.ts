import type { ApiServer } from '../kubernetes/api-server.js';
import { memoize } from '../kubernetes/memoize.js';
import { fn, memberDeclaration } from './check/declarations.js';
import { type Environment, kubernetesEnvironment } from './environment/environment.js';
import { deviceSizes } from './estimates/device-sizes.js';
import { estimateCost } from './estimates/estimate-cost.js';
import { QUANTITY } from './library/quantity.js';
import { SEMVER } from './library/semver.js';
import { type Compilation, compileExpression, type TypeRefusal } from './program/compile.js';
import { compileOrAbort } from './program/compile-or-abort.js';
import { bindingMacros } from './syntax/extension-macros.js';
import { ANY, BOOL, DYN, INT, mapType, STRING, sameType, structType, type Type, typeText } from './values/type.js';

/** A compiled device selector and its maximum cost. */
export interface CompiledSelector {
  readonly compilation: Compilation;
  /** Zero if the selector does not compile. */
  readonly cost: bigint;
}

/**
 * Compiles a device selector, whose result may also be dyn. Throws AbortedConnection for expressions that make the API server panic.
 * Source: dynamic-resource-allocation cel/compile.go CompileCELExpression.
 */
export function compiledSelector(server: ApiServer, expression: string): CompiledSelector {
  return compiledFor(server, expression, type => refusalOf(server, type));
}

/** Compiles an attribute that a claim derives from those of a device. Source: the same file, isAllowedDerivedAttributeType. */
export function compiledDerivedAttribute(server: ApiServer, expression: string): CompiledSelector {
  const hasLists = server.isEnabled('DRAListTypeAttributes');
  const message = `must evaluate to a primitive scalar (string, integer, boolean, semver)${hasLists ? ' or a list of these scalars' : ''}, not`;
  const isScalar = (type: Type | undefined): boolean => type !== undefined && scalars.some(scalar => sameType(scalar, type));
  return compiledFor(server, expression, type =>
    isScalar(type) || (hasLists && type.kind === 'list' && isScalar(type.parameters[0])) ? undefined : `${message} ${typeText(type)}`,
  );
}

const scalars: readonly Type[] = [BOOL, INT, STRING, ANY, DYN, SEMVER];

function compiledFor(server: ApiServer, expression: string, refusal: TypeRefusal): CompiledSelector {
  const compilation = compileOrAbort(() => compileExpression(expression, deviceEnvironment(server), refusal));
  if (compilation.outcome === 'failed') return { compilation, cost: 0n };
  return { compilation, cost: estimateCost(compilation.program.checked, deviceSizes) };
}

function refusalOf(server: ApiServer, type: Type): string | undefined {
  if (sameType(type, BOOL) || sameType(type, ANY) || (server.isEnabled('DRAListTypeAttributes') && sameType(type, DYN))) return undefined;
  return `must evaluate to ${typeText(BOOL)} or the unknown type, not ${typeText(type)}`;
}

const device = structType('kubernetes.DRADevice');

/** Environment of device selectors, which are new expressions. Source: dynamic-resource-allocation cel/compile.go newCompiler. */
const deviceEnvironment: (server: ApiServer) => Environment = memoize(server => {
  const hasLists = server.isEnabled('DRAListTypeAttributes');
  return kubernetesEnvironment(server, {
    use: 'new',
    variables: [{ name: 'device', type: device }],
    structs: [[device.name, { type: device, fields: new Map(Object.entries(fieldsOf(server, hasLists))) }]],
    macros: bindingMacros,
    functions: hasLists ? [fn('includes', memberDeclaration('dra_includes_dyn_dyn', [DYN, DYN], BOOL))] : [],
  });
});

/** Attributes and capacities are grouped by domain and name. */
function fieldsOf(server: ApiServer, hasLists: boolean): Readonly<Record<string, Type>> {
  return {
    driver: STRING,
    attributes: mapType(STRING, mapType(STRING, hasLists ? DYN : ANY)),
    capacity: mapType(STRING, mapType(STRING, QUANTITY)),
    ...(server.isEnabled('DRAConsumableCapacity') ? { allowMultipleAllocations: BOOL } : {}),
  };
}
