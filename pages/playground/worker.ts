// The engine in a thread of its own, so that the page never stops.
import { defaultMinor, kubernetesMinors } from '../../src/kubernetes/kubernetes-version.js';
import { played } from './engine.js';
import type { PlaygroundInput } from './model.js';
import { addFiles } from './platform/node-fs.js';

const loaded = new Map<string, Promise<void>>();

/** Loads the data of a version, once; again after a failure. */
function loadData(name: string): Promise<void> {
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

addEventListener('message', async ({ data: input }: MessageEvent<PlaygroundInput>) => {
  try {
    const version = kubernetesMinors.find(known => known === input.version) ?? defaultMinor;
    // The data of a version are differences from the default one.
    await Promise.all([...new Set([defaultMinor, version])].map(loadData));
    postMessage({ result: await played(input) });
  } catch (error) {
    postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
});
