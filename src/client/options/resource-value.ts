import type { ValueType } from './value-type.js';

/** `RESOURCE[.GROUP]`, in lower case. */
export interface NamedResource {
  /** As the user wrote it. */
  readonly text: string;
  /** Plural, singular or short name, or a kind. */
  readonly name: string;
  /** Undefined for any group. */
  readonly group: string | undefined;
}

/** `--kind` */
export const resourceValue: ValueType<NamedResource> = {
  parse: text => {
    const [, name, group] = /^([a-z0-9-]+)(?:\.([a-z0-9.-]+))?$/.exec(text.toLowerCase()) ?? [];
    return name === undefined ? undefined : { text, name, group };
  },
  expected: 'RESOURCE[.GROUP], such as deployments.apps',
  schema: { type: 'string' },
};
