import Type from 'typebox'
import { declareFamily } from '../family.ts'
import { clientCredentials, operation, raw } from '../operation.ts'
import { closed, named } from '../scalars.ts'

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
    'Form body grant_type=client_credentials, scope? (space-separated subset of the grant; outside it is refused; omitted means all of it). Organization header required. Also Pragma: no-cache. {access_token, token_type:Bearer, expires_in:3600, scope}; no refresh token. Bad client: 401 {"error":"invalid_client"} with a Basic WWW-Authenticate, outside the usual envelope.',
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
