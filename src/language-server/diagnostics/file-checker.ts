import { CliError } from '../../client/cli-error.js';
import { isStructuralDefinition } from '../../client/run/state-after.js';
import type { ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { memoize } from '../../kubernetes/memoize.js';
import { kindOf } from '../../kubernetes/storage.js';
import type { FoundByRule } from '../../lint/rule.js';
import type { DocumentText, FileDocument } from '../text/file-documents.js';
import { type AdmissionEffects, createObject } from './admission.js';
import { type CheckedObject, type DocumentObject, objectsIn } from './document-objects.js';
import { duplicateKeys } from './duplicate-keys.js';
import { type Linting, lintFile, lintProblems } from './lint-problems.js';
import { entryProblem, objectProblems } from './object-problems.js';
import type { TextProblem } from './problem.js';
import { stateWithout } from './state-without.js';
import { type Trace, TracedWrites } from './traced-writes.js';
import { typeWarnings } from './type-warnings.js';

export interface Checking extends AdmissionEffects {
  /** State in which the objects of the file are created. */
  readonly state: ClusterState;
  /** Lets other work of the process run; true if the result is no longer needed. */
  readonly isCancelled: () => Promise<boolean>;
}

export interface CheckedFile {
  readonly problems: readonly TextProblem[];
  readonly objects: readonly CheckedObject[];
}

/** What the API server says to the creation of an object in a state, after others. */
interface Judgement {
  readonly before: ClusterState;
  readonly after: ClusterState;
  readonly trace: Trace;
  /** Offsets are in the document. */
  readonly problems: readonly TextProblem[];
}

/** Checks the versions of one file. Only what has changed is created again, and what depends on it. */
export class FileChecker {
  readonly #judgements = new WeakMap<DocumentObject, Judgement>();
  readonly #writes = new TracedWrites();
  #findings: { readonly state: ClusterState; readonly objects: readonly ValueMap[]; readonly found: readonly FoundByRule[] } | undefined;
  /** Caches of the engine are kept for each state. */
  readonly #ownState = memoize((state: ClusterState): ClusterState => ({ ...state, written: this.#writes }));

  /**
   * Returns what the API server would say to the creation of each object of a file, one after another. Documents that are not objects of Kubernetes have no
   * problems. Undefined if it was cancelled.
   */
  async check(documents: readonly FileDocument[], checking: Checking): Promise<CheckedFile | undefined> {
    const problems: TextProblem[] = [];
    const objects: CheckedObject[] = [];
    let state = this.#ownState(checking.state);
    this.#writes.reset();
    for (const { content, start } of documents) {
      for (const entry of objectsIn(content)) {
        if (entry instanceof CliError) {
          problems.push(moved(entryProblem(entry, content), start));
          continue;
        }
        objects.push({ ...entry, start });
        const judgement = this.#known(entry, state) ?? (await this.#create(entry, state, checking));
        if (judgement === undefined) return undefined;
        this.#judgements.set(entry, judgement);
        state = judgement.after;
        problems.push(...judgement.problems.map(problem => moved(problem, start)));
      }
      problems.push(...repeatedKeys(content).map(problem => moved(problem, start)));
    }
    return { problems, objects };
  }

  /** Returns what `lint` finds in the objects of a checked file; undefined if it was cancelled. */
  async lint(objects: readonly CheckedObject[], linting: Linting): Promise<readonly TextProblem[] | undefined> {
    const linted = { state: linting.state, objects: objects.map(({ manifest }) => manifest.object) };
    const known = this.#findings;
    const isSame = known?.state === linted.state && areSame(known.objects, linted.objects);
    const found = isSame ? known.found : await lintFile(objects, linting);
    if (found === undefined) return undefined;
    this.#findings = { ...linted, found };
    return lintProblems(found, objects, linting);
  }

  /** Returns the judgement of an object if it still holds, and writes again what it wrote. */
  #known(object: DocumentObject, before: ClusterState): Judgement | undefined {
    const known = this.#judgements.get(object);
    if (known?.before !== before || !this.#writes.holds(known.trace)) return undefined;
    return { ...known, trace: this.#writes.repeat(known.trace) };
  }

  async #create(object: DocumentObject, before: ClusterState, checking: Checking): Promise<Judgement | undefined> {
    if (await checking.isCancelled()) return undefined;
    const trace = this.#writes.startTrace();
    const { manifest } = object;
    const answer = await createObject(manifest, stateWithout(before, manifest.object), checking);
    const isStored = answer.outcome === 'answered' && isStructuralDefinition(kindOf(manifest.object));
    const problems = objectProblems(answer, object, before);
    const isAccepted = !problems.some(({ severity }) => severity === 'error');
    const warnings = isAccepted ? typeWarnings(object, before) : [];
    return { before, after: isStored ? answer.state : before, trace, problems: [...problems, ...warnings] };
  }
}

function areSame(some: readonly ValueMap[], others: readonly ValueMap[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

/** kubectl sends the last of duplicate keys, of which the API server learns nothing. */
const repeatedKeys = memoize((content: DocumentText): readonly TextProblem[] => {
  const root = objectsIn(content).length === 0 ? undefined : content.tree();
  return root === undefined ? [] : duplicateKeys(root, content.format);
});

/** Returns the problem with offsets in the file. */
function moved(problem: TextProblem, start: number): TextProblem {
  return { ...problem, start: problem.start + start, end: problem.end + start };
}
