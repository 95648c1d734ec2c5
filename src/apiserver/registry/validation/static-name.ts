import type { ApiServer } from '../../../kubernetes/api-server.js';
import { type FieldError, invalidValue } from '../../../kubernetes/field-error.js';

/**
 * Returns a warning about a name reserved for objects from manifest files of the API server. New objects with it are refused if the gate is
 * enabled. Source: admissionregistration/validation static_suffix.go.
 */
export function staticNameWarnings(server: ApiServer, name: string, isNew: boolean): string[] {
  if (!server.since('v1.36') || !name.endsWith(suffix) || (isNew && isRefused(server))) return [];
  return [`metadata.name: ${message}`];
}

/** Returns the error for a new object with such a name. */
export function staticNameErrors(server: ApiServer, name: string): FieldError[] {
  return server.since('v1.36') && name.endsWith(suffix) && isRefused(server) ? [invalidValue('metadata.name', name, message)] : [];
}

function isRefused(server: ApiServer): boolean {
  return server.isEnabled('ManifestBasedAdmissionControlConfig');
}

const suffix = '.static.k8s.io';
const message = `names ending with "${suffix}" are reserved for static manifest-based configurations and cannot be managed via the API`;
