import { isSelected, type SelectedServer, selectServer } from './kubernetes-version.js';

let running = 0;
const waiting: { readonly server: SelectedServer; readonly start: () => void }[] = [];

/**
 * Runs a function with this API server selected. Functions for the same server run concurrently; those for another server wait until they
 * are done, so that rules can check the selected server at any time.
 */
export async function asServer<T>(server: SelectedServer, work: () => Promise<T>): Promise<T> {
  if (isSelected(server)) running += 1;
  else if (running === 0) start(server);
  else await new Promise<void>(resolve => waiting.push({ server, start: resolve }));
  try {
    return await work();
  } finally {
    running -= 1;
    if (running === 0) startWaiting();
  }
}

function start(server: SelectedServer): void {
  selectServer(server);
  running += 1;
}

/** Starts the function that has waited longest, and all others for the same server. */
function startWaiting(): void {
  const next = waiting[0];
  if (next === undefined) return;
  selectServer(next.server);
  const ready = waiting.filter(({ server }) => isSelected(server));
  const later = waiting.filter(({ server }) => !isSelected(server));
  waiting.splice(0, waiting.length, ...later);
  for (const each of ready) {
    running += 1;
    each.start();
  }
}
