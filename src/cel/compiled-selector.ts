import type { ApiServer } from '../kubernetes/api-server.js';
import { type Compilation, compileExpression } from './compile.js';
import { compileOrAbort } from './compile-or-abort.js';
import { deviceEnvironment } from './environment/device.js';
import { deviceSizes } from './estimates/device-sizes.js';
import { estimateCost } from './estimates/estimate-cost.js';
import { ANY, BOOL, DYN, sameType, type Type, typeText } from './values/type.js';

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
  const compilation = compileOrAbort(() => compileExpression(expression, deviceEnvironment(server), type => refusalOf(server, type)));
  if (compilation.outcome === 'failed') return { compilation, cost: 0n };
  return { compilation, cost: estimateCost(compilation.program.checked, deviceSizes) };
}

function refusalOf(server: ApiServer, type: Type): string | undefined {
  if (sameType(type, BOOL) || sameType(type, ANY) || (server.isEnabled('DRAListTypeAttributes') && sameType(type, DYN))) return undefined;
  return `must evaluate to ${typeText(BOOL)} or the unknown type, not ${typeText(type)}`;
}
