import { closeSync, openSync, readSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Audit annotations by the `Audit-ID` of their request. */
export interface AuditLog {
  /** Annotations of policies; waits for the event, which is written after the response. */
  readonly annotationsOf: (id: string) => Promise<Readonly<Record<string, string>>>;
}

/** Follows the log that kube-apiserver writes with `--audit-log-path`; undefined without a path. */
export function followAuditLog(path: string | undefined): AuditLog | undefined {
  if (path === undefined) return undefined;
  const file = openSync(path, 'r');
  process.on('exit', () => closeSync(file));
  const known = new Map<string, Readonly<Record<string, string>>>();
  const buffer = Buffer.alloc(1 << 20);
  let rest = '';
  const readOn = (): void => {
    for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer)) {
      const lines = (rest + buffer.toString('latin1', 0, size)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const event = JSON.parse(Buffer.from(line, 'latin1').toString('utf8')) as AuditEvent;
        known.set(event.auditID, event.annotations ?? {});
      }
    }
  };
  return {
    annotationsOf: async id => {
      for (let i = 0; i < 200 && !known.has(id); i += 1) {
        readOn();
        if (!known.has(id)) await wait(10);
      }
      const annotations = known.get(id);
      if (annotations === undefined) throw new Error(`no audit event with ID ${id}`);
      known.delete(id);
      return policyAnnotations(annotations);
    },
  };
}

interface AuditEvent {
  readonly auditID: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Annotations that policies publish; random policies have names that begin with `p-`. */
export function policyAnnotations(annotations: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(annotations)
      .filter(([key]) => key.startsWith('p-') || key.startsWith('validation.policy.admission.k8s.io/'))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
