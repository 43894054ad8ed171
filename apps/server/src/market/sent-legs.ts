import type { contract } from '@liquidity-os/contract'
import { sql } from '../store/database/sql.ts'
import { member } from '../store/records/find.ts'
import type { TenantRecords } from '../store/records/tenant-records.ts'
import { daySeconds } from '../units.ts'

/** A leg of a plan for which a transaction was named, as far as vaults and policies count it. */
export interface SentLeg {
  readonly planId: string
  readonly legIndex: number
  readonly transactionHash: string
  readonly sellToken: string
  readonly sellAmount: bigint
  /** How the plan has the transaction sent. */
  readonly route: contract.ExecutionLegRecord['route']
  /** Unix seconds at which the transaction was named. */
  readonly sentAt: number
  /** Whether it sold nothing after all. */
  readonly isVoid: boolean
}

/** What an event of a leg says of it here. */
interface Told {
  readonly legIndex: number
  readonly to: string
  readonly occurredAt: string
  readonly evidence: { readonly transactionHash: string | null }
}

const kinds = ['plan.leg_transitioned', 'plan.closed']
const voids = ['REVERTED', 'REPLACED', 'EXPIRED']

/** Legs of plans of a vault that were sent; plans live a day, so older ones are not looked at. */
export async function sentLegs(records: TenantRecords, vaultId: string): Promise<SentLeg[]> {
  const plans = await records.find<contract.ProtectedExecutionPlan>('ProtectedExecutionPlan', {
    where: sql`${member('payload.vaultId')} = ${vaultId}`,
    createdFrom: records.now - 3 * daySeconds * 1000,
  })
  const found = await Promise.all(
    plans.map(async ({ id, payload }) => {
      const events = await records.events(id, { kinds })
      const legs = new Map<number, SentLeg>()
      for (const event of events) {
        const { legIndex, to, occurredAt, evidence } = event.payload as unknown as Told
        const known = legs.get(legIndex)
        const planned = payload.legs[legIndex]
        const { transactionHash } = evidence
        if (to === 'SUBMITTED' && transactionHash !== null && planned) {
          legs.set(legIndex, {
            ...{ planId: id, legIndex, transactionHash, sellToken: payload.sellToken },
            ...{ sellAmount: BigInt(planned.sellAmount), route: planned.route, isVoid: false },
            sentAt: Math.floor(Date.parse(occurredAt) / 1000),
          })
        } else if (known && voids.includes(to)) legs.set(legIndex, { ...known, isVoid: true })
      }
      return [...legs.values()]
    }),
  )
  return found.flat()
}
