import type { Configuration } from 'openid-client'
import type { OpenIdConfig } from '../../config.ts'
import { Failure } from '../../failure.ts'
import { minuteMilliseconds } from '../../units.ts'
import { foldEmail, isEmail } from '../email-address.ts'
import { fetchBounded } from './bounded-fetch.ts'

/** State that the browser stores between the redirect to the provider and the callback. */
export interface OpenIdAttempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Hash of the session that reauthenticates; null for a new sign-in. */
  readonly sessionHash: string | null
  /** Milliseconds since 1970. */
  readonly startedAt: number
}

export interface OpenIdIdentity {
  readonly email: string
  /**
   * Time of the user's last authentication at the provider, in milliseconds since 1970; null if not
   * stated.
   */
  readonly authenticatedAt: number | null
}

/** Seconds for one answer of the provider. */
const timeoutSeconds = 10
/** Allowed clock skew of the provider. */
const skewMilliseconds = minuteMilliseconds

/**
 * OpenID Connect sign-in: authorization code flow with PKCE, state and nonce (RFC 7636, OpenID
 * Connect Core 1.0). The library performs the token checks of the protocol; this class decides
 * which identities to trust.
 */
export class OpenIdProvider {
  readonly #terms: OpenIdConfig
  readonly #redirectUri: string
  #discovered: Promise<Configuration> | null = null

  constructor(terms: OpenIdConfig, baseUrl: string) {
    this.#terms = terms
    this.#redirectUri = `${baseUrl}/auth/openid/callback`
  }

  /** @throws Failure 503 if the provider does not respond */
  async begin(
    sessionHash: string | null,
    now: number,
  ): Promise<{ address: string; attempt: OpenIdAttempt }> {
    const client = await import('openid-client')
    const configuration = await this.#configuration()
    const verifier = client.randomPKCECodeVerifier()
    const [state, nonce] = [client.randomState(), client.randomNonce()]
    const address = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#redirectUri,
      scope: 'openid email',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      claims: JSON.stringify({ id_token: { auth_time: { essential: true } } }),
      // Reauthentication forces a new login, regardless of the session at the provider.
      ...(sessionHash === null ? {} : { prompt: 'login', max_age: '0' }),
    })
    return {
      address: address.href,
      attempt: { state, nonce, verifier, sessionHash, startedAt: now },
    }
  }

  /**
   * @param query query string of the callback
   * @throws Failure 403 if the callback is invalid or asserts no identity; 503 if the provider does
   * not respond
   */
  async end(query: string, attempt: OpenIdAttempt): Promise<OpenIdIdentity> {
    const client = await import('openid-client')
    const configuration = await this.#configuration()
    const url = new URL(`${this.#redirectUri}${query}`)
    const tokens = await callProvider(client, () =>
      client.authorizationCodeGrant(configuration, url, {
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        pkceCodeVerifier: attempt.verifier,
        idTokenExpected: true,
      }),
    )
    const claims = tokens.claims()
    if (!claims) throw refused('the provider sent no ID token')
    const userInfo =
      claims.email === undefined
        ? await callProvider(client, () =>
            client.fetchUserInfo(configuration, tokens.access_token, claims.sub),
          )
        : claims
    const email = this.#believed(userInfo)
    const { auth_time: seconds } = claims
    const authenticatedAt = typeof seconds === 'number' ? seconds * 1000 : null
    if (attempt.sessionHash !== null) {
      const isFresh =
        authenticatedAt !== null && authenticatedAt >= attempt.startedAt - skewMilliseconds
      if (!isFresh) throw refused('the provider did not authenticate the user again')
    }
    return { email, authenticatedAt }
  }

  /** The email address, if the provider may vouch for it. */
  #believed({ email, email_verified: isVerified }: Record<string, unknown>): string {
    if (typeof email !== 'string' || !isEmail(email))
      throw refused('the provider sent no email address')
    // Some providers send texts or numbers: only `true` counts.
    if (isVerified !== undefined && isVerified !== true) {
      throw refused('the provider has not verified the email address')
    }
    const { emailDomains } = this.#terms
    const folded = foldEmail(email)
    if (emailDomains === null) {
      // Providers that omit the claim may let users enter any address.
      if (isVerified !== true)
        throw refused('the provider does not state that it verified the email address')
      return folded
    }
    const domain = folded.slice(folded.lastIndexOf('@') + 1)
    if (!emailDomains.includes(domain))
      throw refused(`the provider may not sign in addresses at ${domain}`)
    return folded
  }

  #configuration(): Promise<Configuration> {
    this.#discovered ??= this.#discover().catch((error: unknown) => {
      this.#discovered = null
      throw error
    })
    return this.#discovered
  }

  async #discover(): Promise<Configuration> {
    const client = await import('openid-client')
    const { issuer, clientId, clientSecret } = this.#terms
    const authentication =
      clientSecret === null ? client.None() : client.ClientSecretBasic(clientSecret)
    const isPlain = issuer.startsWith('http:')
    const configuration = await callProvider(client, () =>
      client.discovery(new URL(issuer), clientId, undefined, authentication, {
        timeout: timeoutSeconds,
        // The signature is required even with TLS: an issuer may use plain HTTP.
        execute: [
          client.enableNonRepudiationChecks,
          ...(isPlain ? [client.allowInsecureRequests] : []),
        ],
        [client.customFetch]: fetchBounded,
      }),
    )
    // A shared multi-tenant issuer would vouch for accounts of any of its tenants, so the issuer
    // must match exactly.
    const named = configuration.serverMetadata().issuer
    if (named !== issuer && named !== `${issuer}/`) {
      throw refused(`the provider reports the issuer ${named}, which differs from OPENID_ISSUER`)
    }
    return configuration
  }
}

type Client = typeof import('openid-client')

/** Library error codes for an invalid response, as opposed to no response. */
const faults = [
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
]

/**
 * Runs a provider call. Provider errors and invalid responses become rejections; an unreachable
 * provider is reported as such.
 */
async function callProvider<T>(client: Client, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    const isProviderError =
      cause instanceof client.AuthorizationResponseError ||
      (cause instanceof client.ResponseBodyError && cause.status < 500)
    if (isProviderError) throw refused(`the provider returned the error ${cause.error}`)
    const isFault = (code: string | undefined) => code !== undefined && faults.includes(code)
    if (cause instanceof client.ClientError && isFault(cause.code)) {
      // The library wraps the cause, such as an invalid signature, in a general error.
      const { message } = cause.cause instanceof Error ? cause.cause : cause
      throw refused(`the response of the provider is invalid: ${message}`)
    }
    if (cause instanceof client.WWWAuthenticateChallengeError) {
      throw refused('the provider rejected the client authentication of the service')
    }
    throw new Failure('LIQUIDITY_SIGN_IN_PROVIDER_UNAVAILABLE', { cause })
  }
}

const refused = (why: string) =>
  new Failure('LIQUIDITY_SIGN_IN_REFUSED', { fieldErrors: { '(sign-in)': [why] } })
