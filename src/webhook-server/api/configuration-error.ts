/** Position in a file; line and column start at 1. */
export interface FileLocation {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** A configuration or values that cannot be used; the message has the location and the reason. */
export class InjectorConfigurationError extends Error {
  override readonly name = 'InjectorConfigurationError';

  constructor(
    readonly reason: string,
    /** Undefined for a configuration that is an object. */
    readonly location?: FileLocation | undefined,
    cause?: unknown,
  ) {
    const { file, line, column } = location ?? {};
    super(
      [file, line, column, ` ${reason}`]
        .filter(part => part !== undefined)
        .join(':')
        .trimStart(),
      { cause },
    );
  }
}

/** A part of a configuration that has no effect, or fails for every pod. */
export interface InjectorWarning {
  readonly message: string;
  /** Undefined for a configuration that is an object. */
  readonly location: FileLocation | undefined;
}
