import type { Found } from './value.js';

/** Members of an object, each of which is made on first use: expressions read few of them. Read-only. */
export class LazyMembers<Source> extends Map<string, Found> {
  private readonly made = new Map<string, Found>();

  /** `make` returns the value of a member of the source, which does not change. */
  constructor(
    private readonly source: ReadonlyMap<string, Source>,
    private readonly make: (member: Source, key: string) => Found,
  ) {
    super();
  }

  override get size(): number {
    return this.source.size;
  }

  override has(key: string): boolean {
    return this.source.has(key);
  }

  override get(key: string): Found | undefined {
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

  override values(): MapIterator<Found> {
    return this.complete().values();
  }

  override entries(): MapIterator<[string, Found]> {
    return this.complete().entries();
  }

  override [Symbol.iterator](): MapIterator<[string, Found]> {
    return this.entries();
  }

  override forEach(use: (value: Found, key: string, map: Map<string, Found>) => void): void {
    for (const [key, value] of this.entries()) use(value, key, this);
  }

  private complete(): ReadonlyMap<string, Found> {
    return new Map(Array.from(this.source.keys(), key => [key, this.get(key) ?? null]));
  }
}
