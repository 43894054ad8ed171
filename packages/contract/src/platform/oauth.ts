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
        description: 'Space-separated subset of the grant. Default: the whole grant.',
      }),
    ),
    client_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Client id, if the client does not authenticate with the Basic header.',
      }),
    ),
    client_secret: Type.Optional(
      Type.String({ minLength: 1, maxLength: 400, description: 'Client secret, with client_id.' }),
    ),
  }),
)

/** RFC 6749 §5.2 error body in place of the usual one, except for 413, 415, 429 and 5xx. */
export const OAuthError = named(
  'OAuthError',
  closed({
    error: oneOf(
      ['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope'],
      'RFC 6749 §5.2.',
    ),
    error_description: Type.Optional(Type.String({ description: 'Human-readable description.' })),
  }),
)

export const OAuthTokenResponse = named(
  'OAuthTokenResponse',
  closed({
    access_token: Type.String({ description: 'Opaque; starts with svc_at_.' }),
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
    'RFC 6749 §4.4. Form body grant_type=client_credentials, scope? (space-separated subset of the grant; default: the whole grant; other scopes are rejected). Unknown parameters are ignored, parameters without a value count as omitted, and a repeated one is invalid_request (RFC 6749 §3.2). The client authenticates with the Basic header or with client_id and client_secret in the form, not both. The organization header is optional, because the client identifies its organization; a different organization is rejected. Also Pragma: no-cache. {access_token, token_type:Bearer, expires_in:3600, scope}; no refresh token. Errors 400 and 401 follow RFC 6749 §5.2, without the usual envelope: {"error":"invalid_client"} with a Basic WWW-Authenticate for a bad client. Discovery: /.well-known/oauth-authorization-server (RFC 8414).',
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
  module: 'platform/oauth',
  operations: [issueOperatingSystemOAuthToken],
})
