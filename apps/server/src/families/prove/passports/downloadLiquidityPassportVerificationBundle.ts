import { contract } from '@liquidity-os/contract'
import { sha256Hex } from '@liquidity-os/evidence'
import { handle, type Outcome } from '../../../http/handler.ts'
import { makeBundle } from './bundle/make-bundle.ts'
import { openPassport } from './open-passport.ts'

export default handle(
  contract.downloadLiquidityPassportVerificationBundle,
  async ({ params, services, now, fail }): Promise<Outcome> => {
    const passport = await openPassport(services, params.slug, now)
    if (!passport) throw fail('LIQUIDITY_PASSPORT_UNAVAILABLE')
    if (!passport.logged || passport.artifacts.length === 0) {
      throw fail('LIQUIDITY_PASSPORT_BUNDLE_UNAVAILABLE', { headers: { 'retry-after': '10' } })
    }
    const bytes = await makeBundle(services, passport)
    return {
      bytes,
      etag: `0x${sha256Hex(bytes)}`,
      headers: {
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="passport-${params.slug}.zip"`,
      },
    }
  },
)
