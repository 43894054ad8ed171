import { attestationHash } from '../../src/families/operate/incentive-programs/adapters.ts'
import type { ProgramRequest } from '../../src/families/operate/incentive-programs/read-program.ts'
import type { Ref } from '../support/admissible.ts'
import {
  optimize,
  programRequest,
  type RewardChain,
  type RewardedVenues,
  rewardedVenue,
  startAfter,
} from '../support/rewarding.ts'
import type { Act, ActContext } from './scene-state.ts'

/** An organization with two observed venues and a pilot that was paid and measured to its end. */
export interface Rewarded extends ActContext {
  readonly test: RewardChain
  readonly venues: RewardedVenues
  /** Observations of a pair without rewards. */
  readonly compared: readonly Ref[]
  readonly measured: Ref
}

const reason = 'For the walk'
const evidenceHashes = [`0x${'ab'.repeat(32)}`]

/** A program that starts after the pilot has ended. */
const programAfter = ({ test, venues }: Rewarded, change: object) =>
  programRequest(test, venues, { start: startAfter(test, 80), ...change })

let requests = 0

/**
 * Uses a later attestation expiry for each request, unless the test changed the attestation. Random
 * draws depend on the request hash and would otherwise differ for any change.
 */
function attestedAnew(changed: Wished, staged: Wished): Wished {
  requests += 1
  const later = new Date(Date.parse('2027-01-01T00:00:00.000Z') + requests).toISOString()
  const venues = changed.payload.venues.map((venue, index) => {
    const before = staged.payload.venues[index]!
    const isAnew = venue.attestation.expiresAt === before.attestation.expiresAt
    const attestation = { ...venue.attestation, ...(isAnew ? { expiresAt: later } : {}) }
    const isBound = venue.adapterEvidenceHash === before.adapterEvidenceHash
    return {
      ...venue,
      attestation,
      ...(isBound ? { adapterEvidenceHash: attestationHash(attestation) } : {}),
    }
  })
  return { ...changed, payload: { ...changed.payload, venues } }
}

interface Wished {
  readonly payload: ProgramRequest
}

/** Requests that plan or revoke a program. */
export const incentiveActs: Readonly<Record<string, Act<Rewarded>>> = {
  optimizeIncentiveProgram: {
    stage: async (world) => {
      const { test, venues, compared, measured } = world
      const { pool, pair, observations } = venues
      const baseline = {
        ...test.window,
        controls: [pair],
        observations: [...observations, ...compared],
      }
      const limited = rewardedVenue(test, pool, {}, { maxPips: 80_000 })
      const weights = { feesPips: 500_000, basePips: 250_000, quotePips: 250_000 }
      const pilot = programAfter(world, {
        baseline,
        venues: [limited],
        rewardPriceX18: `${10n ** 18n}`,
      })
      const full = programAfter(world, {
        mode: 'FULL',
        requireNetPositive: false,
        priorPrograms: [measured],
      })
      return {
        echoes: ['request'],
        bodies: [
          { payload: pilot, evidenceHashes, reason },
          { payload: full, reason },
          // Rejected: reward weights are unsupported.
          { payload: programAfter(world, { distribution: weights }), reason },
        ],
      }
    },
    sent: (changed, staged) => attestedAnew(changed as Wished, staged as Wished),
  },
  supersedeIncentivePrograms: {
    stage: async (world) => {
      const { data } = await optimize(world.owner, programAfter(world, {}))
      const { id, resourceVersion } = data.program
      return {
        request: { params: { id }, ifMatch: resourceVersion },
        bodies: [
          { status: 'REVOKED', evidenceHashes, reason },
          // Refused: a program is never changed.
          { status: 'REVOKED', payload: { days: 9 }, reason },
        ],
      }
    },
  },
}
