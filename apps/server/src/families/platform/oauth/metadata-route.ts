import { basePath, scopes } from '@liquidity-os/contract/outline'
import { extraRoute } from '../../../http/route.ts'

/**
 * OAuth discovery document: token endpoint and client authentication methods.
 *
 * @see RFC 8414 §2 and §3
 */
export const metadataRoute = extraRoute({
  id: 'readAuthorizationServerMetadata',
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  answer: ({ services }) => {
    const issuer = services.config.baseUrl.replace(/\/$/, '')
    return {
      status: 200,
      headers: { 'cache-control': 'public, max-age=3600' },
      body: JSON.stringify({
        issuer,
        token_endpoint: `${issuer}${basePath}/oauth/token`,
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
        grant_types_supported: ['client_credentials'],
        // Required by the standard; empty without an authorization endpoint.
        response_types_supported: [],
        scopes_supported: scopes,
        service_documentation: `${issuer}/docs`,
      }),
    }
  },
})
