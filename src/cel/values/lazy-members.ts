import type { FoundValue } from './value.js';

/** Members of an object, each of which is made on first use: expressions read few of them. Read-only. */
export class LazyMembers<Source> extends Map<string, FoundValue> {
  private readonly made = new Map<string, FoundValue>();

  /** `make` returns the value of a member of the source, which does not change. */
  constructor(
    private readonly source: ReadonlyMap<string, Source>,
    private readonly make: (member: Source, key: string) => FoundValue,
  ) {
    super();
  }

  override get size(): number {
    return this.source.size;
  }

  override has(key: string): boolean {
    return this.source.has(key);
  }

  override get(key: string): FoundValue | undefined {
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const member = this.source.get(key);
    if (member === undefined) return undefined;
    const value = this.make(member, key);
    this.made.set(key, value);
    return value;
  }

  override keys(): MapIterator<string> {
    return this.source.keys();
  }

  override values(): MapIterator<FoundValue> {
    return this.complete().values();
  }

  override entries(): MapIterator<[string, FoundValue]> {
    return this.complete().entries();
  }

  override [Symbol.iterator](): MapIterator<[string, FoundValue]> {
    return this.entries();
  }

  override forEach(use: (value: FoundValue, key: string, map: Map<string, FoundValue>) => void): void {
    for (const [key, value] of this.entries()) use(value, key, this);
  }

  private complete(): ReadonlyMap<string, FoundValue> {
    return new Map(Array.from(this.source.keys(), key => [key, this.get(key) ?? null]));
  }
}
