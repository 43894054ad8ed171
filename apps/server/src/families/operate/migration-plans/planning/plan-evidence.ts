import { toJsonSafe } from '@liquidity-os/engine/amm'
import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import type { World } from '@liquidity-os/engine/migration'
import { gasTable } from '@liquidity-os/engine/montecarlo'
import { engineVersion } from '@liquidity-os/engine/version'
import { H } from '@liquidity-os/evidence'
import { blockOf } from '../../../../integrations/chain/block-of.ts'
import { completedObservations } from '../../../../market/completed-observations.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { Reading, Situation } from '../deciding/situation.ts'
import type { PlanRequest, PlanVenue } from '../plan-types.ts'
import { gasGapsOf } from './plan-gas.ts'

/** Inputs of a plan: hashes of the markets at their block, and the newest proven observations. */
export async function planEvidence(
  records: TenantRecords,
  terms: {
    request: PlanRequest
    venues: readonly PlanVenue[]
    worlds: Readonly<Record<string, World>>
    reading: Reading
    situation: Situation
  },
) {
  const { request, venues, worlds, reading, situation } = terms
  const observed = await Promise.all(
    venues.map(async ({ id }) => (await completedObservations(records, id, 1))[0] ?? null),
  )
  const gaps = [
    ...reading.limitations.map((code) => ({
      code,
      detail: 'No second provider confirms the data.',
    })),
    ...venues.flatMap(({ id }, index) =>
      observed[index]
        ? []
        : [
            {
              code: 'NO_PROVED_OBSERVATION',
              detail: 'The market was read at the block. No observation proves its history.',
              venueId: id,
            },
          ],
    ),
    ...gasGapsOf(request),
  ]
  return {
    engineVersion,
    engineBuildHash: engineBuildHash(),
    specHash: H('migration-plan-spec/v1', request),
    inputs: [
      ...Object.entries(worlds).map(([id, { market }]) => ({
        name: `market ${id}`,
        hash: H('migration-market/v1', toJsonSafe(market)),
      })),
      ...observed.flatMap((found) =>
        found ? [{ name: `observation ${found.id}`, hash: found.resourceVersion }] : [],
      ),
    ],
    blocks: [blockOf(request.pair.chainId, situation.block)],
    seed: null,
    assumptions: [
      { code: 'NOBODY_TRADES_BETWEEN_STEPS', value: 'true', source: 'DEFAULT' as const },
      ...(request.costs
        ? [{ code: 'GAS_TABLE', value: gasTable.version, source: 'DEFAULT' as const }]
        : []),
    ],
    gaps,
  }
}
