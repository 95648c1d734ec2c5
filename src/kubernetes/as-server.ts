import { isSelected, type SelectedServer, selectServer } from './kubernetes-version.js';

let running = 0;
const waiting: { readonly server: SelectedServer; readonly start: () => void }[] = [];

/**
 * Runs the work with this API server selected. Work for the same server runs at the same time, work for another one waits until it
 * is done, so that rules may ask which server is selected at any point of it.
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

/** Starts the work that waited longest and all other work for the same server. */
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
