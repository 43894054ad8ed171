import { randomInt } from 'node:crypto'
import { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import { takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import { sql } from '../../../store/database/sql.ts'
import { expectFound, member, type Question } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { viewOf } from './challenge-view.ts'
import { fieldErrorsOf, requestedClaim } from './claim-of.ts'
import { controlMessage } from './control-message.ts'
import { readClaim } from './read-control.ts'
import { controlChallenges } from './records.ts'

export default controlChallenges.create(
  contract.issueProjectControlChallenge,
  async ({ body, records, services, now, fail }) => {
    const claim = requestedClaim(body)
    const open = await requireQuota(records, now)
    const { chainId, format } = body
    const { chains } = await takeSnapshot(records, services, [chainId], 'chainId')
    // The snapshot contains the requested chain.
    const { walked, tokenSymbol } = await readClaim(chains.get(chainId)!, claim)
    if (walked.fault) {
      const fieldErrors = fieldErrorsOf(walked.fault, claim)
      throw fail('LIQUIDITY_PROJECT_CONTROL_PATH_UNPROVEN', { fieldErrors })
    }
    const issued = Math.floor(now / 1000)
    const facts = {
      chainId,
      nonce: newNonce(),
      tokenSymbol,
      issuedAt: isoOf(issued),
      expiresAt: isoOf(issued + limits.controlChallengeSeconds),
    }
    const { organizationId } = records
    const { baseUrl } = services.config
    const signed = controlMessage({ ...facts, ...claim, baseUrl, organizationId }, format)
    return {
      payload: {
        ...facts,
        ...claim,
        ...signed,
        format,
        via: [...claim.via],
        path: [...walked.hops],
        proofId: null,
      },
      event: 'project_control.challenge.issued',
      eventPayload: {
        chainId,
        token: claim.token,
        claimant: claim.claimant,
        digest: signed.digest,
      },
      // The lock makes the second of two concurrent requests count again.
      statements: ({ record }) =>
        expectFound(organizationId, 'ProjectControlChallenge', openAt(now), {
          key: 'project-control-challenges',
          records: [...open, record],
        }),
      answer: ({ record }) => ({ status: 201, data: viewOf(record, now) }),
    }
  },
)

const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const newNonce = () => Array.from({ length: 32 }, () => letters[randomInt(letters.length)]).join('')

/** Open challenges at a time. */
const openAt = (now: number): Question => ({
  status: ['ACTIVE'],
  where: sql`${member('payload.expiresAt')} > ${isoOf(Math.floor(now / 1000))}`,
  order: 'OLDEST',
})

/**
 * @returns the open challenges
 * @throws Failure 429 if their maximum is reached
 */
async function requireQuota(records: TenantRecords, now: number) {
  const open = await controlChallenges.find(records, {
    ...openAt(now),
    limit: limits.controlChallengesOpen,
  })
  const [oldest] = open
  if (!oldest || open.length < limits.controlChallengesOpen) return open
  throw new Failure('LIQUIDITY_RATE_LIMITED', {
    message: `${open.length} challenges are open, which is the limit.`,
    retryAfterSeconds: Math.ceil((Date.parse(oldest.payload.expiresAt) - now) / 1000),
  })
}
