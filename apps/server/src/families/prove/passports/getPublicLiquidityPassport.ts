import { basePath, contract } from '@liquidity-os/contract'
import { publishedKeys } from '../../../access/signing-keys.ts'
import { prefersHtml } from '../../../http/accept.ts'
import { handle, type Outcome } from '../../../http/handler.ts'
import { required } from '../../../required.ts'
import { brandHostOf } from './brand.ts'
import { openPassport } from './open-passport.ts'
import { publicPage } from './public-page.ts'
import { publicView } from './public-view.ts'
import { passportPolicy } from './rendering/page.ts'

export default handle(contract.getPublicLiquidityPassport, async (request): Promise<Outcome> => {
  const { params, services, now, fail } = request
  const passport = await openPassport(services, params.slug, now)
  if (!passport) throw fail('LIQUIDITY_PASSPORT_UNAVAILABLE')
  const [key] = await publishedKeys(services.database)
  const view = publicView(passport, required(key, 'signing key of the service').publicKey)
  const headers = { vary: 'Accept' }
  if (!prefersHtml(request.headers)) return { data: view, headers }
  const url = `${services.config.baseUrl}${basePath}/public/passports/${params.slug}`
  const brandHost = await brandHostOf(services, view.passport ?? {})
  return {
    text: publicPage(view, passport.vault, { url, brandHost }),
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${passportPolicy}; frame-ancestors 'none'; sandbox allow-downloads allow-top-navigation`,
      'referrer-policy': 'no-referrer',
    },
  }
})
