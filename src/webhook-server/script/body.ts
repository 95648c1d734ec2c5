import { gzipSync } from 'node:zlib';
import { readUnstructured } from '../../encoding/unstructured.js';
import { stringAt, type Value } from '../../go/value.js';
import type { Body, BodyPart } from './script.js';

/** Values of the placeholders in a scripted body. */
export type Placeholders = Readonly<Record<'uid' | 'UID' | 'apiVersion', string>>;

/** Placeholder values from a request's body; empty if it is not a review. */
export function placeholdersOf(request: Buffer): Placeholders {
  const review = reviewIn(request);
  const uid = stringAt(review, 'request', 'uid');
  return { uid, UID: uid.toUpperCase(), apiVersion: stringAt(review, 'apiVersion') };
}

/** Returns the bytes of a scripted body. */
export function scriptBodyBytes(body: Body | undefined, placeholders: Placeholders): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (typeof body === 'string')
    return Buffer.from(body.replace(/\{\{(uid|UID|apiVersion)\}\}/g, (_, name: keyof Placeholders) => placeholders[name]));
  return isList(body) ? Buffer.concat(body.map(part => scriptBodyBytes(part, placeholders))) : bytesOfPart(body, placeholders);
}

function bytesOfPart(part: BodyPart, placeholders: Placeholders): Buffer {
  if ('repeat' in part) return Buffer.from(part.repeat.repeat(part.times));
  if ('base64' in part) return Buffer.from(part.base64, 'base64');
  if ('base64Of' in part) return Buffer.from(scriptBodyBytes(part.base64Of, placeholders).toString('base64'));
  return gzipSync(scriptBodyBytes(part.gzipOf, placeholders));
}

function isList(body: BodyPart | readonly (string | BodyPart)[]): body is readonly (string | BodyPart)[] {
  return Array.isArray(body);
}

function reviewIn(request: Buffer): Value {
  try {
    return readUnstructured(request.toString());
  } catch {
    return null;
  }
}
