// The engine in a thread of its own, so that the page never stops.
import { defaultMinor, kubernetesMinors } from '../../src/kubernetes/kubernetes-version.js';
import type { EngineQuestion } from './model.js';
import { addFiles } from './platform/node-fs.js';
import { replyTo } from './reply.js';

const loaded = new Map<string, Promise<void>>();

/** Loads the data of a file, once; again after a failure. */
function loadFile(name: string): Promise<void> {
  const known =
    loaded.get(name) ??
    fetched(name).catch((error: unknown) => {
      loaded.delete(name);
      throw error;
    });
  loaded.set(name, known);
  return known;
}

async function fetched(name: string): Promise<void> {
  const response = await fetch(new URL(`data/${name}.json`, location.href));
  if (!response.ok) throw new Error(`the data of ${name} cannot be loaded: ${response.status}`);
  addFiles(await response.json());
}

/** Loads the data of a version, which are differences from the default one. */
async function loadData(wanted: string): Promise<void> {
  const version = kubernetesMinors.find(known => known === wanted) ?? defaultMinor;
  await Promise.all([...new Set([defaultMinor, version])].map(loadFile));
}

// One message after another: the engine counts what it cannot reproduce.
let last = Promise.resolve();
addEventListener('message', ({ data }: MessageEvent<EngineQuestion>) => {
  last = last.then(async () => postMessage(await replyTo(data, loadData)));
});
