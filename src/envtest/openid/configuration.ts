/** Who may authenticate, and how. Source: apiserver apis/apiserver/types.go AuthenticationConfiguration. */
export interface AuthenticationConfiguration {
  readonly jwt?: readonly JwtAuthenticator[];
  readonly anonymous?: AnonymousConfiguration;
}

export interface AnonymousConfiguration {
  readonly enabled?: boolean;
  readonly conditions?: readonly { readonly path?: string }[];
}

/** An issuer of tokens, and how their claims become users. */
export interface JwtAuthenticator {
  readonly issuer?: Issuer;
  readonly claimValidationRules?: readonly ClaimRule[];
  readonly claimMappings?: ClaimMappings;
  readonly userValidationRules?: readonly ExpressionRule[];
}

export interface Issuer {
  readonly url?: string;
  readonly discoveryURL?: string;
  /** PEM. */
  readonly certificateAuthority?: string;
  readonly audiences?: readonly string[];
  readonly audienceMatchPolicy?: string;
  readonly egressSelectorType?: string;
}

/** A claim with a value, or an expression that has to be true. */
export interface ClaimRule extends ExpressionRule {
  readonly claim?: string;
  readonly requiredValue?: string;
}

export interface ExpressionRule {
  readonly expression?: string;
  readonly message?: string;
}

export interface ClaimMappings {
  readonly username?: PrefixedClaim;
  readonly groups?: PrefixedClaim;
  readonly uid?: ClaimOrExpression;
  readonly extra?: readonly { readonly key?: string; readonly valueExpression?: string }[];
}

export interface ClaimOrExpression {
  readonly claim?: string;
  readonly expression?: string;
}

export interface PrefixedClaim extends ClaimOrExpression {
  readonly prefix?: string;
}
