import { AbortedConnection } from '../kubernetes/status.js';
import { type Compilation, compileExpression } from './compile.js';
import { deviceEnvironment } from './environment/device.js';
import { GoPanic } from './values/go-panic.js';
import { ANY, BOOL, sameType, typeText } from './values/type.js';

/**
 * A selector of devices, which may also come to a value of unknown type. What it could cost is not estimated. Throws AbortedConnection for
 * what makes the API server panic. Source: dynamic-resource-allocation cel/compile.go CompileCELExpression.
 */
export function compiledSelector(expression: string): Compilation {
  try {
    const compilation = compileExpression(expression, deviceEnvironment());
    if (compilation.outcome === 'failed') return compilation;
    const { type } = compilation.program;
    if (sameType(type, BOOL) || sameType(type, ANY)) return compilation;
    const detail = `must evaluate to ${typeText(BOOL)} or the unknown type, not ${typeText(type)}`;
    return { outcome: 'failed', error: { kind: 'invalid', detail } };
  } catch (error) {
    if (error instanceof GoPanic) throw new AbortedConnection(`compiling the expression panics: ${error.message}`);
    throw error;
  }
}
