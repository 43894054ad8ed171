import { contract } from '@liquidity-os/contract'
import { printSeconds, signRevocation } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import { passports } from './records.ts'

/** Revokes a version permanently, in a statement that the service signs. */
export default passports.supersede(contract.revokeLiquidityPassport, {
  isRecent: true,
  to: 'REVOKED',
  admit: ({ body }, before) => {
    if (before.status === 'REVOKED') {
      throw new Failure('LIQUIDITY_PASSPORT_TERMINAL', {
        fieldErrors: { id: ['must not be REVOKED'] },
      })
    }
    if (body.contentHash === before.payload.contentHash) return
    throw new Failure('LIQUIDITY_PRECONDITION_FAILED', {
      fieldErrors: {
        contentHash: [`must be ${before.payload.contentHash}, got ${body.contentHash}`],
      },
    })
  },
  decide: async ({ body, services, now }, before) => {
    const key = await services.signingKeys.current(now)
    const revocation = signRevocation(
      {
        contentHash: body.contentHash,
        code: body.code,
        revokedAt: printSeconds(Math.floor(now / 1000)),
        keyId: key.publicKey.keyId,
      },
      key,
    )
    return {
      payload: before.payload,
      event: 'passport.revoked',
      eventPayload: { slug: before.payload.slug, ...revocation },
    }
  },
})
