import { writeValue } from '../../../go/json/write.js';
import { copyOf, mapAt, stringAt, type Value, type ValueMap } from '../../../go/value.js';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** Max bytes of all annotations of an object. Source: apimachinery api/validation TotalAnnotationSizeLimitB. */
const annotationsLimit = 256 * 1024;

/** Returns the configuration that kubectl last applied on the client; undefined when there is none. */
export function lastAppliedOf(object: ValueMap): string | undefined {
  return stringAt(object, 'metadata', 'annotations', annotation) || undefined;
}

/**
 * Updates the annotation of client-side apply after kubectl applied on the server, if the object has one. It is removed when it would make
 * the annotations too large. Source: apimachinery managedfields/internal/lastappliedupdater.go.
 */
export function updateLastApplied(object: ValueMap, applied: ValueMap, manager: string): void {
  const annotations = mapAt(object, 'metadata', 'annotations');
  if (manager !== 'kubectl' || annotations === undefined || lastAppliedOf(object) === undefined) return;
  const configuration = copyOf(applied);
  mapAt(configuration, 'metadata', 'annotations')?.delete(annotation);
  annotations.set(annotation, `${writeValue(configuration, 'sorted')}\n`);
  if (bytesOf(annotations) > annotationsLimit) annotations.delete(annotation);
}

function bytesOf(annotations: ReadonlyMap<string, Value>): number {
  let bytes = 0;
  for (const [key, value] of annotations) bytes += Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  return bytes;
}
