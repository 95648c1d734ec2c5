import type { DeclaredType } from '../schema/declared-type.js';
import { type AccessPath, stepsOf } from './access-path.js';
import type { DeclaredSizes } from './estimated-call.js';

/**
 * The sizes that a type declares for values below any variable: nothing asks which variable it is, so that names of types and loops over
 * lists in the expression itself count as large as the type, too. Source: apiextensions-apiserver schema/cel/compilation.go sizeEstimator.
 */
export function declaredSizes(root: DeclaredType): DeclaredSizes {
  return path => {
    const type = typeAt(root, path);
    return type && { least: 0n, most: type.maxElements };
  };
}

/** The type at the end of a path; undefined when the path leaves what is declared. */
function typeAt(root: DeclaredType, path: AccessPath): DeclaredType | undefined {
  let type: DeclaredType | undefined = root;
  for (const step of stepsOf(path).slice(1)) type = type && stepInto(type, step);
  return type;
}

function stepInto(type: DeclaredType, step: string): DeclaredType | undefined {
  switch (step) {
    case '@items':
    case '@values':
      return type.element;
    case '@keys':
      return type.key;
    default:
      return type.fields?.get(step);
  }
}
