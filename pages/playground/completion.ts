import { effectsFor } from '../../src/cli/shell/effects.js';
import { CliError } from '../../src/client/cli-error.js';
import { entriesIn } from '../../src/client/manifests/manifests.js';
import type { ValueMap } from '../../src/go/value.js';
import { isDefinition } from '../../src/kubernetes/definition-resources.js';
import { suggestInManifests } from '../../src/language-server/completion/suggest-in-manifests.js';
import type { Suggestions } from '../../src/language-server/completion/suggestion.js';
import { clusterEditors, clusterWithoutWebhooks, metadata, serverOf } from './cluster.js';
import type { EditorPlace } from './model.js';

/** Returns what the language server offers at a place of an editor, in a state of all of them; undefined where nothing can be written, and in answers. */
export async function suggestAt({ input, editor, offset }: EditorPlace): Promise<Suggestions | undefined> {
  if (editor === 'answers') return undefined;
  // Kinds are also defined by what is created.
  const objects = [...clusterEditors.flatMap(name => objectsIn(input[name])), ...objectsIn(input.manifest).filter(isDefinition)];
  const state = clusterWithoutWebhooks(objects, serverOf(input));
  return suggestInManifests(input[editor], offset, { state, effects: { effects: effectsFor, ...metadata } });
}

/** Returns the objects of the documents that can be read: the one that is being written may be incomplete. */
function objectsIn(text: string): ValueMap[] {
  const { entries } = entriesIn({ source: '', bytes: Buffer.from(text) });
  return entries.flatMap(entry => (entry instanceof CliError ? [] : [entry.object]));
}
