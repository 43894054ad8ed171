import Type from 'typebox'
import { declareFamily } from '../family.ts'
import { clientCredentials, operation, raw } from '../operation.ts'
import { closed, named, oneOf } from '../scalars.ts'

export const OAuthTokenRequest = named(
  'OAuthTokenRequest',
  closed({
    grant_type: Type.Literal('client_credentials', { description: 'The only grant.' }),
    scope: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'Space-separated part of the grant; omitted means all of it.',
      }),
    ),
    client_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Id of the client, where it does not authenticate by the Basic header.',
      }),
    ),
    client_secret: Type.Optional(
      Type.String({ minLength: 1, maxLength: 400, description: 'Its secret, with client_id.' }),
    ),
  }),
)

/** RFC 6749 §5.2: what this one operation answers in place of the usual envelope, but for 413, 415, 429 and 5xx. */
export const OAuthError = named(
  'OAuthError',
  closed({
    error: oneOf(
      ['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope'],
      'RFC 6749 §5.2.',
    ),
    error_description: Type.Optional(Type.String({ description: 'For people.' })),
  }),
)

export const OAuthTokenResponse = named(
  'OAuthTokenResponse',
  closed({
    access_token: Type.String({ description: 'Opaque; begins with svc_at_.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Literal(3600, { description: 'Seconds.' }),
    scope: Type.String({ description: 'Space-separated scopes of the token.' }),
  }),
)

export const issueOperatingSystemOAuthToken = operation({
  id: 'issueOperatingSystemOAuthToken',
  method: 'POST',
  path: '/oauth/token',
  tag: 'Platform',
  family: 'Platform, credentials and webhooks',
  summary: 'Exchange client credentials for an access token',
  description:
    'RFC 6749 §4.4. Form body grant_type=client_credentials, scope? (space-separated subset of the grant; outside it is refused; omitted means all of it). The client authenticates by the Basic header, or by client_id and client_secret in the form, not by both. The organization header may be left out, since the client names its organization; given, it must be that one. Also Pragma: no-cache. {access_token, token_type:Bearer, expires_in:3600, scope}; no refresh token. 400 and 401 are answered as RFC 6749 §5.2 has it, outside the usual envelope: {"error":"invalid_client"} with a Basic WWW-Authenticate for a bad client. Found by /.well-known/oauth-authorization-server (RFC 8414).',
  auth: clientCredentials,
  cacheControl: 'no-store',
  success: [200],
  statedErrors: [401],
  bodyType: 'application/x-www-form-urlencoded',
  body: OAuthTokenRequest,
  response: raw(OAuthTokenResponse),
  example: { body: { grant_type: 'client_credentials' } },
})

export const oauthFamily = declareFamily({
  room: 'platform/oauth',
  operations: [issueOperatingSystemOAuthToken],
})
