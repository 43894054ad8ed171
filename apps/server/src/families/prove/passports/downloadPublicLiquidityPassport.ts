import { contract } from '@liquidity-os/contract'
import { canonicalize, sha256Hex } from '@liquidity-os/evidence'
import { handle, type Outcome } from '../../../http/handler.ts'
import { openPassport } from './open-passport.ts'
import { formatsOf, variantOf } from './public-view.ts'

const retry = { headers: { 'retry-after': '5' } }

/**
 * Serves a file of a passport. A badge shows the current state, so that an embedded badge cannot
 * outlive the passport.
 */
export default handle(
  contract.downloadPublicLiquidityPassport,
  async ({ params, services, now, fail }): Promise<Outcome> => {
    const { slug, format } = params
    const passport = await openPassport(services, slug, now)
    if (!passport) throw fail('LIQUIDITY_PASSPORT_UNAVAILABLE')
    const { record, state, artifacts, records } = passport
    const isBadge = format === 'svg' || format === 'png'
    const name = `passport-${slug}${isBadge ? `-${variantOf(state)}` : ''}.${format}`
    // A revoked passport is not served; its badge shows the revocation.
    const isWithdrawn = state === 'REVOKED' && !isBadge
    if (!formatsOf(record.payload.artifactRendererVersion).includes(format) || isWithdrawn) {
      throw fail('LIQUIDITY_PASSPORT_FORMAT_UNAVAILABLE')
    }
    if (format === 'json') {
      // The signed payload needs no rendering.
      const bytes = Buffer.from(canonicalize(record.payload))
      return answer(bytes, 'application/json', name)
    }
    const file = artifacts.find(
      ({ statement }) =>
        statement.format === format && (!isBadge || statement.variant === variantOf(state)),
    )
    if (!file) throw fail('LIQUIDITY_PASSPORT_FORMAT_UNAVAILABLE', retry)
    const bytes = await records.artifact(file.statement.sha256)
    return answer(bytes, file.statement.mediaType, name)
  },
)

const answer = (bytes: Uint8Array, mediaType: string, name: string): Outcome => ({
  bytes,
  etag: `0x${sha256Hex(bytes)}`,
  headers: {
    'content-type': mediaType,
    'content-disposition': `inline; filename="${name}"`,
  },
})
