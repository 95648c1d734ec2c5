import type { Review } from './hooks.js';
import type { Outcome } from './server.js';

/**
 * Returns status, warnings, body and reviews as text, without random values and times from `since` on. Reviews of validating webhooks,
 * which run in parallel, are sorted.
 */
export function told({ status, warnings, body }: Outcome, reviews: readonly Review[], known: string, since: number): string {
  const validating = (review: Review): boolean => review.path.startsWith('/v');
  const ordered = [...reviews.filter(r => !validating(r)), ...reviews.filter(validating).sort((a, b) => (a.path < b.path ? -1 : 1))];
  const answer = body.trimEnd().replaceAll(/"resourceVersion": ?"\d+"|"continue": ?"[\w-]+"/g, '"?"');
  const lines = [`${status} ${JSON.stringify(warnings)}`, answer, ...ordered.map(r => `${r.path} ${r.body}`)];
  return steady(lines.join('\n'), known, since);
}

const random = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
  /"resourceVersion": ?"\d+"/g,
  /kube-api-access-[a-z0-9]{5}/g,
  /\bselfType\d+/g,
  /\b10\.0\.\d+\.\d+\b|"nodePort":3\d{4}|"healthCheckNodePort":3\d{4}/g,
];

/** Replaces everything that looks random and is not in the inputs by `?`. */
function steady(text: string, known: string, since: number): string {
  const timeless = text
    .replace(times, time => (Date.parse(time) >= since ? '?' : time))
    // An object that the call marks for deletion is stored before it is removed.
    .replaceAll(/"resourceVersion":"\d+"(?=,"generation":\d+,"creationTimestamp":"[^"]*","deletionTimestamp":"\?")/g, '"?"');
  const masked = random.reduce((now, pattern) => now.replace(pattern, word => (known.includes(word) ? word : '?')), timeless);
  return generated(known).reduce((now, pattern) => now.replace(pattern, '$1?'), masked);
}

/** Patterns of the names that the server generates; long prefixes are cut. */
function generated(known: string): RegExp[] {
  const prefixes = new Set([...known.matchAll(/"generateName":"([^"\\]+)"/g)].map(([, prefix = '']) => prefix.slice(0, 58)));
  return [...prefixes].map(
    prefix => new RegExp(`(${prefix.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')})[bcdfghjklmnpqrstvwxz2456789]{5}(?=[\\\\"])`, 'g'),
  );
}

const times = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
