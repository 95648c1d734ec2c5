import { isEnabled } from '../../../kubernetes/feature-gates.js';
import { type FieldError, invalidValue } from '../../../kubernetes/field-error.js';
import { since } from '../../../kubernetes/kubernetes-version.js';

/**
 * Returns a warning about a name reserved for objects from manifest files of the API server. New objects with it are refused if the gate is
 * enabled. Source: admissionregistration/validation static_suffix.go.
 */
export function staticNameWarnings(name: string, isNew: boolean): string[] {
  if (!since('v1.36') || !name.endsWith(suffix) || (isNew && isRefused())) return [];
  return [`metadata.name: ${words}`];
}

/** Returns the error for a new object with such a name. */
export function staticNameErrors(name: string): FieldError[] {
  return since('v1.36') && name.endsWith(suffix) && isRefused() ? [invalidValue('metadata.name', name, words)] : [];
}

function isRefused(): boolean {
  return isEnabled('ManifestBasedAdmissionControlConfig');
}

const suffix = '.static.k8s.io';
const words = `names ending with "${suffix}" are reserved for static manifest-based configurations and cannot be managed via the API`;
