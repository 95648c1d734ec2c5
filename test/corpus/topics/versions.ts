import type { Difference } from '../figures.js';
import type { CorpusFile } from '../files.js';
import * as configuration from './configuration.js';
import * as expressions from './expressions.js';
import * as requests from './requests.js';
import * as selection from './selection.js';

const topics = { configuration, expressions, requests, selection };

/** The topics recorded with other minors: `v1.35/requests/new-fields`. Each case contains its minor. */
export function differenceIn(file: CorpusFile): Difference | Promise<Difference> {
  const [, topic = '', name = ''] = file.name.split('/');
  if (!isTopic(topic)) return () => `nothing compares ${topic} of other minors yet`;
  return topics[topic].differenceIn({ folder: topic, name, document: file.document });
}

function isTopic(name: string): name is keyof typeof topics {
  return name in topics;
}
