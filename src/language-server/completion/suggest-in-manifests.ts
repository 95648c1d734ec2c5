import type { ClusterState } from '../../kubernetes/api-call.js';
import type { AdmissionEffects } from '../diagnostics/admission.js';
import { expressionSite } from '../expressions/expression-site.js';
import { expressionSuggestions } from './expression-suggestions.js';
import { objectAround } from './object-around.js';
import type { Suggestions } from './suggestion.js';
import { suggestYaml } from './yaml-suggestions.js';

/** Returns what may be written at an offset of a file of manifests: CEL in an expression, fields and values elsewhere; undefined where nothing can be written. */
export async function suggestInManifests(
  text: string,
  offset: number,
  using: { readonly state: ClusterState; readonly effects: AdmissionEffects },
): Promise<Suggestions | undefined> {
  const site = expressionSite(text, offset);
  if (site !== undefined) return expressionSuggestions(site, using.state);
  const around = objectAround(text, offset, using.state);
  return around === undefined ? undefined : suggestYaml(around, using);
}
