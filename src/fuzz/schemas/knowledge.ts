/** What the API server's validation taught a run about the fields of types. */
export interface Knowledge {
  /** Texts that it named as the supported ones of a field, by `TYPE.FIELD`. */
  readonly supported: (field: string) => readonly string[];
  readonly learnSupported: (field: string, texts: readonly string[]) => void;
  /** Fields that it required in a type. */
  readonly required: (type: string) => readonly string[];
  readonly learnRequired: (type: string, field: string) => void;
  /** Share of accepted objects after changes of this sort, in (0, 1). */
  readonly odds: (change: string) => number;
  readonly learnOutcome: (change: string, isAccepted: boolean) => void;
  /** Counts the objects sent in which a field of a type was present. */
  readonly cover: (field: string) => boolean;
  readonly isCovered: (field: string) => boolean;
  readonly covered: () => number;
}

interface Tries {
  accepted: number;
  all: number;
}

/** Returns the knowledge of a run that has not started. */
export function newKnowledge(): Knowledge {
  const supported = new Map<string, readonly string[]>();
  const required = new Map<string, readonly string[]>();
  const tries = new Map<string, Tries>();
  const covered = new Set<string>();
  return {
    supported: field => supported.get(field) ?? [],
    learnSupported: (field, texts) => {
      supported.set(field, texts);
    },
    required: type => required.get(type) ?? [],
    learnRequired: (type, field) => {
      const known = required.get(type) ?? [];
      if (!known.includes(field)) required.set(type, [...known, field]);
    },
    odds: change => {
      const { accepted, all } = tries.get(change) ?? { accepted: 0, all: 0 };
      return (accepted + 1) / (all + 2);
    },
    learnOutcome: (change, isAccepted) => {
      const made = tries.get(change) ?? { accepted: 0, all: 0 };
      made.all += 1;
      if (isAccepted) made.accepted += 1;
      tries.set(change, made);
    },
    cover: field => {
      const isNew = !covered.has(field);
      covered.add(field);
      return isNew;
    },
    isCovered: field => covered.has(field),
    covered: () => covered.size,
  };
}
