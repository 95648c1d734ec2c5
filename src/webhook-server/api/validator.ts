import { quote } from '../../go/quote.js';
import type { BuiltInKinds } from '../../kubernetes/object-types/kinds.js';
import { rawOf, runValidator } from './defaulter.js';
import { type ObjectType, objectTypeOf } from './object-types.js';
import { allowed, errored, withWarnings } from './responses.js';
import type { AdmissionHandler, AdmissionRequest } from './types.js';

/** Adds warnings for the client; they are kept when the validator throws. */
export type Warn = (...warnings: readonly string[]) => void;

// biome-ignore lint/suspicious/noExplicitAny: see AdmissionRequest
export interface ValidatorOptions<T = any> {
  /** `apiVersion/Kind` of a built-in kind: objects are decoded into its Go type. Without it they are used as sent. */
  readonly for?: string | undefined;
  readonly validateCreate?: ((object: T, request: AdmissionRequest<T>, warn: Warn) => unknown) | undefined;
  readonly validateUpdate?: ((oldObject: T, newObject: T, request: AdmissionRequest<T>, warn: Warn) => unknown) | undefined;
  readonly validateDelete?: ((object: T, request: AdmissionRequest<T>, warn: Warn) => unknown) | undefined;
}

/**
 * Returns a handler that allows requests for which its functions do not throw. Source: controller-runtime webhook/admission
 * validator_custom.go.
 */
export function validator<K extends keyof BuiltInKinds>(
  options: ValidatorOptions<BuiltInKinds[K]> & { readonly for: K },
): AdmissionHandler<BuiltInKinds[K]>;
// biome-ignore lint/suspicious/noExplicitAny: see AdmissionRequest
export function validator<T = any>(options: ValidatorOptions<T>): AdmissionHandler<T>;
export function validator<T>(options: ValidatorOptions<T>): AdmissionHandler<T> {
  const type = objectTypeOf(options.for);
  return async request => {
    let check: (warn: Warn) => unknown;
    try {
      const found = checkOf(request, type, options);
      if (found === undefined) return errored(400, new Error(`unknown operation ${quote(request.operation)}`));
      check = found;
    } catch (error) {
      return errored(400, error);
    }
    const warnings: string[] = [];
    const refused = await runValidator(async () => check((...more) => void warnings.push(...more)));
    return withWarnings(refused ?? allowed(), ...warnings);
  };
}

/** Returns the check to run for the request, with its objects decoded; undefined for an unknown operation. Throws decoding errors. */
function checkOf<T>(request: AdmissionRequest<T>, type: ObjectType, options: ValidatorOptions<T>): ((warn: Warn) => unknown) | undefined {
  const decode = (member: 'object' | 'oldObject'): T => type.decode(rawOf(request, member)) as T;
  switch (request.operation) {
    case 'CONNECT':
      return () => undefined;
    case 'CREATE': {
      const object = decode('object');
      return warn => options.validateCreate?.(object, request, warn);
    }
    case 'UPDATE': {
      const object = decode('object');
      const oldObject = decode('oldObject');
      return warn => options.validateUpdate?.(oldObject, object, request, warn);
    }
    case 'DELETE': {
      const object = decode('oldObject');
      return warn => options.validateDelete?.(object, request, warn);
    }
    default:
      return undefined;
  }
}
