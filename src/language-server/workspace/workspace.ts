import { CliError } from '../../client/cli-error.js';
import { stateOf } from '../../client/manifests/cluster-state.js';
import { entriesIn } from '../../client/manifests/manifests.js';
import { copyOf, isMap, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { kindOf } from '../../kubernetes/storage.js';
import { createObject, isWebhookConfiguration } from '../diagnostics/admission.js';
import type { EditorSurroundings, WorkspaceSettings } from '../editor-surroundings.js';

/** Objects of the workspace that decide about others, by file. Files that are open count as the editor has them. */
export class Workspace {
  readonly #surroundings: EditorSurroundings;
  readonly #folder: string | undefined;
  readonly #onDisk = new Map<string, readonly ValueMap[]>();
  readonly #open = new Map<string, readonly ValueMap[]>();
  #discovers = true;
  #settings: Promise<WorkspaceSettings> | undefined;
  #scan: Promise<void> | undefined;
  #state: Promise<ClusterState> | undefined;

  constructor(surroundings: EditorSurroundings, folder: string | undefined) {
    this.#surroundings = surroundings;
    this.#folder = folder;
  }

  /** Settings of the workspace: read once, until `forget`. */
  settings(): Promise<WorkspaceSettings> {
    this.#settings ??= this.#surroundings.readSettings(this.#folder);
    return this.#settings;
  }

  /** State in which the objects of open files are created. The same value until something in it changes. */
  state(): Promise<ClusterState> {
    this.#state ??= this.#readState();
    return this.#state;
  }

  /** Takes over the text of an open file. Returns whether the state changes. */
  setOpen(path: string, text: string): boolean {
    return this.#set(this.#open, path, decidingObjects(text));
  }

  /** The file counts as it is on disk again. Returns whether the state changes. */
  close(path: string): boolean {
    const own = this.#open.get(path);
    this.#open.delete(path);
    return this.reread(path) || (own !== undefined && own.length > 0 && this.#changed());
  }

  /** Reads a file again that has changed on disk or is gone. Returns whether the state may change. */
  reread(path: string): boolean {
    if (this.#folder === undefined || !path.startsWith(this.#folder)) return false;
    // Files of a state that the settings name are read with the settings.
    if (/(?:^|[\\/])webhook-cli\.yaml$/.test(path) || !this.#discovers) {
      this.#settings = undefined;
      return this.#changed();
    }
    const text = this.#surroundings.readFile(path, this.#folder);
    return this.#set(this.#onDisk, path, text === undefined ? [] : decidingObjects(text));
  }

  #set(files: Map<string, readonly ValueMap[]>, path: string, objects: readonly ValueMap[]): boolean {
    const had = files.get(path) ?? [];
    files.set(path, objects);
    return (had.length > 0 || objects.length > 0) && this.#changed();
  }

  #changed(): true {
    this.#state = undefined;
    return true;
  }

  async #readState(): Promise<ClusterState> {
    const { state, discovers } = await this.settings();
    this.#discovers = discovers;
    if (!discovers) return withoutWebhooks(state);
    this.#scan ??= this.#scanFolder();
    await this.#scan;
    const objects = [...new Map([...this.#onDisk, ...this.#open]).values()].flat();
    return withAccepted(withoutWebhooks(state), objects, this.#surroundings);
  }

  async #scanFolder(): Promise<void> {
    if (this.#folder === undefined) return;
    for await (const { path, text } of this.#surroundings.workspaceFiles(this.#folder)) {
      const objects = decidingObjects(text);
      if (objects.length > 0) this.#onDisk.set(path, objects);
    }
  }
}

/** Files without these words have none of the objects; parsing all files of a repository takes long. */
const decidingWords = /CustomResourceDefinition|AdmissionPolicy|Namespace/;
const decidingKinds = /^(?:CustomResourceDefinition|(?:Validating|Mutating)AdmissionPolicy(?:Binding)?|Namespace)$/;

/** Returns the definitions, policies, bindings and namespaces of a file; none of one that cannot be read. */
function decidingObjects(text: string): ValueMap[] {
  if (!decidingWords.test(text)) return [];
  const { entries } = entriesIn({ source: '', bytes: Buffer.from(text) });
  return entries.flatMap(entry => (entry instanceof CliError || !decidingKinds.test(kindOf(entry.object).kind) ? [] : [entry.object]));
}

/** The language server calls nobody: webhooks are off. */
function withoutWebhooks(state: ClusterState): ClusterState {
  const objects = state.objects.filter(object => !isWebhookConfiguration(object));
  return objects.length === state.objects.length ? state : { ...state, objects };
}

/** Adds the objects that the API server accepts, as it stores them. A definition with an error defines nothing. */
async function withAccepted(state: ClusterState, objects: readonly ValueMap[], surroundings: EditorSurroundings): Promise<ClusterState> {
  const accepted: ValueMap[] = [];
  for (const object of objects) {
    const answer = await createObject({ object, source: '', location: { file: '' } }, state, surroundings);
    const copy = copyOf(object);
    if (answer.outcome === 'answered' && answer.errors.length === 0 && isMap(copy)) accepted.push(copy);
  }
  if (accepted.length === 0) return state;
  return { ...state, objects: [...state.objects, ...stateOf(accepted, { ...state }, surroundings).objects] };
}
