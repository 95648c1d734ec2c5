import type { ClusterState } from '../../kubernetes/api-call.js';
import { documentAt, type FileDocument } from '../text/file-documents.js';
import { pathOfFrame, type TextFrame, type TextPlace } from '../text/open-text.js';
import { framesOf, placeInOpenText } from '../text/place-in-open-text.js';
import type { StructType } from '../types/field-type.js';
import { kindNamed, typeOfKind } from '../types/type-of-kind.js';

/** The object around a place of a file. */
export interface ObjectAround {
  readonly document: FileDocument;
  readonly place: TextPlace;
  readonly apiVersion: string;
  readonly kind: string;
  readonly type: StructType | undefined;
  /** Path from the object. */
  readonly path: readonly (string | number)[];
}

/** Returns the object around an offset; undefined outside of documents and where nothing can be written. */
export function objectAround(text: string, offset: number, state: ClusterState): ObjectAround | undefined {
  const document = documentAt(text, offset);
  const place = placeInOpenText(document.text, offset - document.start);
  if (place === undefined) return undefined;
  const { frame, length } = objectFrame(document.text, place);
  const [apiVersion, kind] = [frame?.values.get('apiVersion') ?? '', frame?.values.get('kind') ?? ''];
  return { document, place, apiVersion, kind, type: typeOfKind(state, kindNamed(apiVersion, kind)), path: place.path.slice(length) };
}

/** Returns a place of a file of one document that has a type of its own. */
export function placeAround(text: string, offset: number, type: StructType): ObjectAround | undefined {
  const document = documentAt(text, offset);
  const place = placeInOpenText(document.text, offset - document.start);
  return place === undefined ? undefined : { document, place, apiVersion: '', kind: '', type, path: place.path };
}

/** Returns the map with apiVersion and kind: the root, or an item of a list. */
function objectFrame(text: string, place: TextPlace): { readonly frame: TextFrame | undefined; readonly length: number } {
  const frames = framesOf(text);
  const root = frames.find(({ around }) => around === undefined);
  if (place.path[0] !== 'items' || typeof place.path[1] !== 'number' || !(root?.values.get('kind') ?? '').endsWith('List')) {
    return { frame: root, length: 0 };
  }
  const wanted = place.path.slice(0, 2).join('/');
  return { frame: frames.find(frame => frame.kind === 'map' && pathOfFrame(frame).join('/') === wanted), length: 2 };
}
