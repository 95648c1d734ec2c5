import { CliError } from '../../client/cli-error.js';
import { stateOf } from '../../client/manifests/cluster-state.js';
import { entriesIn } from '../../client/manifests/manifests.js';
import { copyOf, isMap, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { memoize } from '../../kubernetes/memoize.js';
import { kindOf } from '../../kubernetes/storage.js';
import { createObject, isWebhookConfiguration } from '../diagnostics/admission.js';
import type { CheckSurroundings, WorkspaceSettings } from '../editor-surroundings.js';
import { Slices } from '../slices.js';
import { type DocumentText, documentsOf } from '../text/file-documents.js';

/** Objects of the workspace that decide about others, by file. Files that are open count as the editor has them. */
export class Workspace {
  readonly #surroundings: CheckSurroundings;
  readonly #folder: string | undefined;
  readonly #onDisk = new Map<string, readonly ValueMap[]>();
  readonly #open = new Map<string, readonly ValueMap[]>();
  #discovers = true;
  #settings: Promise<WorkspaceSettings> | undefined;
  #scan: Promise<void> | undefined;
  #state: Promise<ClusterState> | undefined;
  /** Objects as the API server stores them, by the object of a file; nothing for those that it refuses. */
  #stored = new WeakMap<ValueMap, readonly ValueMap[]>();

  constructor(surroundings: CheckSurroundings, folder: string | undefined) {
    this.#surroundings = surroundings;
    this.#folder = folder;
  }

  /** Settings of the workspace: read once, until `forget`. */
  readSettings(): Promise<WorkspaceSettings> {
    this.#settings ??= this.#surroundings.readSettings(this.#folder);
    return this.#settings;
  }

  /** State in which the objects of open files are created. The same value until something in it changes. */
  readState(): Promise<ClusterState> {
    this.#state ??= this.#readState();
    return this.#state;
  }

  /** Takes over the documents of an open file. Returns whether the state changes. */
  setOpen(path: string, documents: readonly { readonly content: DocumentText }[]): boolean {
    return this.#set(
      this.#open,
      path,
      documents.flatMap(({ content }) => decidingObjects(content)),
    );
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
      this.#stored = new WeakMap();
      return this.#changed();
    }
    const text = this.#surroundings.readFile(path, this.#folder);
    return this.#set(this.#onDisk, path, text === undefined ? [] : decidingObjectsIn(text)) && !this.#open.has(path);
  }

  #set(files: Map<string, readonly ValueMap[]>, path: string, objects: readonly ValueMap[]): boolean {
    const had = files.get(path) ?? [];
    files.set(path, objects);
    return (had.length !== objects.length || had.some((object, index) => object !== objects[index])) && this.#changed();
  }

  #changed(): true {
    this.#state = undefined;
    return true;
  }

  /** Returns the CA that `certs create` made for the webhooks of the workspace, as base64 of PEM; undefined without one. */
  caBundle(): string | undefined {
    return this.#folder === undefined ? undefined : this.#surroundings.readCaBundle(this.#folder);
  }

  async #readState(): Promise<ClusterState> {
    const { state, discovers } = await this.readSettings();
    this.#discovers = discovers;
    if (!discovers) return withoutWebhooks(state);
    this.#scan ??= this.#scanFolder();
    await this.#scan;
    const objects = [...new Map([...this.#onDisk, ...this.#open]).values()].flat();
    const own = withoutWebhooks(state);
    const slices = new Slices(this.#surroundings.clockMs);
    const stored: ValueMap[] = [];
    for (const object of objects) {
      await slices.pause();
      const known = this.#stored.get(object) ?? (await storeObjects(object, own, this.#surroundings));
      this.#stored.set(object, known);
      stored.push(...known);
    }
    return stored.length === 0 ? own : { ...own, objects: [...own.objects, ...stored] };
  }

  async #scanFolder(): Promise<void> {
    if (this.#folder === undefined) return;
    const slices = new Slices(this.#surroundings.clockMs);
    for await (const { path, text } of this.#surroundings.workspaceFiles(this.#folder)) {
      await slices.pause();
      const objects = decidingObjectsIn(text);
      if (objects.length > 0) this.#onDisk.set(path, objects);
    }
  }
}

/** Files without these words have none of the objects; parsing all files of a repository takes long. */
const decidingWords = /CustomResourceDefinition|AdmissionPolicy|Namespace/;
const decidingKinds = /^(?:CustomResourceDefinition|(?:Validating|Mutating)AdmissionPolicy(?:Binding)?|Namespace)$/;

/** Returns the definitions, policies, bindings and namespaces of a document; none of one that cannot be read. */
const decidingObjects: (content: DocumentText) => readonly ValueMap[] = memoize(({ text, badSeparator }) => {
  if (badSeparator !== undefined || !decidingWords.test(text)) return [];
  const { entries } = entriesIn({ source: '', bytes: Buffer.from(text) });
  return entries.flatMap(entry => (entry instanceof CliError || !decidingKinds.test(kindOf(entry.object).kind) ? [] : [entry.object]));
});

function decidingObjectsIn(text: string): readonly ValueMap[] {
  return decidingWords.test(text) ? documentsOf(text).flatMap(({ content }) => decidingObjects(content)) : [];
}

/** The language server calls nobody: webhooks are off. */
function withoutWebhooks(state: ClusterState): ClusterState {
  const objects = state.objects.filter(object => !isWebhookConfiguration(object));
  return objects.length === state.objects.length ? state : { ...state, objects };
}

/** Returns an object as the API server stores it; nothing for one that it refuses: a definition with an error defines nothing. */
async function storeObjects(object: ValueMap, state: ClusterState, surroundings: CheckSurroundings): Promise<readonly ValueMap[]> {
  const answer = await createObject({ object, source: '', location: { file: '' } }, state, surroundings);
  const copy = copyOf(object);
  if (answer.outcome !== 'answered' || answer.errors.length > 0 || !isMap(copy)) return [];
  return stateOf([copy], { ...state }, surroundings).objects;
}
